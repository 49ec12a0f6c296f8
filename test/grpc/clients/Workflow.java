import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The workflow of an application in Java, on grpc-java and Netty, with messages of the definitions that the server tells of.
 *
 * <p>Workflow.java DEFINITIONS HOST:PORT
 */
public class Workflow {
  static final String V2 = "com.daml.ledger.api.v2.";
  static final Map<String, ServiceDescriptor> SERVICES = new HashMap<>();
  static ManagedChannel channel;

  public static void main(String[] args) throws Exception {
    read(FileDescriptorSet.parseFrom(Files.readAllBytes(Path.of(args[0]))));
    channel = ManagedChannelBuilder.forTarget(args[1]).usePlaintext().build();
    Message version = unary("VersionService/GetLedgerApiVersion", "");
    System.out.println("version " + text(version, "version"));

    Message details =
        (Message) get(unary("admin.PartyManagementService/AllocateParty", "party_id_hint: 'java'"), "party_details");
    String alice = text(details, "party");

    String format = "filters_by_party { key: '" + alice + "' value {} } verbose: true";
    Iterator<Message> updates =
        stream(
            "UpdateService/GetUpdates",
            "update_format { include_transactions { event_format { "
                + format
                + " } transaction_shape: TRANSACTION_SHAPE_ACS_DELTA } }");

    submit(alice, "one", "1.5");
    Object offset = get(submit(alice, "two", "2.5"), "completion_offset");
    List<String> seen = new ArrayList<>();
    while (seen.size() < 2) {
      Message update = updates.next();
      if (update.hasField(update.getDescriptorForType().findFieldByName("transaction")))
        seen.add(text((Message) get(update, "transaction"), "command_id"));
    }
    System.out.println("updates " + seen);

    int active = 0;
    Iterator<Message> acs =
        stream(
            "StateService/GetActiveContracts",
            "active_at_offset: " + offset + " event_format { " + format + " }");
    while (acs.hasNext()) {
      acs.next();
      active++;
    }
    System.out.println("active " + active);

    try {
      submit(alice, "two", "2.5");
      System.out.println("refused not at all");
    } catch (StatusRuntimeException error) {
      byte[] status =
          error
              .getTrailers()
              .get(Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER));
      String all = new String(status, StandardCharsets.ISO_8859_1);
      System.out.println(
          "refused "
              + error.getStatus().getCode()
              + " "
              + all.contains("ErrorInfo")
              + " "
              + all.contains("DUPLICATE_COMMAND"));
    }
    channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
  }

  static Message submit(String party, String commandId, String amount) throws Exception {
    String fields =
        field("issuer", "party: '" + party + "'")
            + field("owner", "party: '" + party + "'")
            + field("currency", "text: 'EUR'")
            + field("amount", "numeric: '" + amount + "'")
            + field("observers", "list {}");
    return unary(
        "CommandService/SubmitAndWait",
        "commands { user_id: 'java' command_id: '"
            + commandId
            + "' act_as: '"
            + party
            + "' commands { create { template_id { package_id: '#canticle-quickstart' module_name: 'Quickstart.Iou'"
            + " entity_name: 'Iou' } create_arguments { "
            + fields
            + " } } } }");
  }

  static String field(String label, String value) {
    return "fields { label: '" + label + "' value { " + value + " } } ";
  }

  static Message unary(String method, String request) throws Exception {
    com.google.protobuf.Descriptors.MethodDescriptor found = find(method);
    return ClientCalls.blockingUnaryCall(
        channel, described(found), CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS), built(found, request));
  }

  static Iterator<Message> stream(String method, String request) throws Exception {
    com.google.protobuf.Descriptors.MethodDescriptor found = find(method);
    return ClientCalls.blockingServerStreamingCall(
        channel, described(found), CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS), built(found, request));
  }

  static com.google.protobuf.Descriptors.MethodDescriptor find(String method) {
    String[] parts = method.split("/");
    return SERVICES.get(V2 + parts[0]).findMethodByName(parts[1]);
  }

  static Message built(com.google.protobuf.Descriptors.MethodDescriptor method, String request)
      throws Exception {
    DynamicMessage.Builder builder = DynamicMessage.newBuilder(method.getInputType());
    TextFormat.merge(request, builder);
    return builder.build();
  }

  static MethodDescriptor<Message, Message> described(
      com.google.protobuf.Descriptors.MethodDescriptor method) {
    return MethodDescriptor.<Message, Message>newBuilder()
        .setType(
            method.isServerStreaming()
                ? MethodDescriptor.MethodType.SERVER_STREAMING
                : MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(
            MethodDescriptor.generateFullMethodName(
                method.getService().getFullName(), method.getName()))
        .setRequestMarshaller(marshaller(method.getInputType()))
        .setResponseMarshaller(marshaller(method.getOutputType()))
        .build();
  }

  static MethodDescriptor.Marshaller<Message> marshaller(Descriptor type) {
    return ProtoUtils.marshaller((Message) DynamicMessage.getDefaultInstance(type));
  }

  static Object get(Message message, String field) {
    return message.getField(message.getDescriptorForType().findFieldByName(field));
  }

  static String text(Message message, String field) {
    return (String) get(message, field);
  }

  static void read(FileDescriptorSet set) throws Exception {
    Map<String, FileDescriptor> files = new HashMap<>();
    for (FileDescriptorProto proto : set.getFileList()) {
      List<FileDescriptor> needed = new ArrayList<>();
      for (String name : proto.getDependencyList()) needed.add(files.get(name));
      FileDescriptor file = FileDescriptor.buildFrom(proto, needed.toArray(new FileDescriptor[0]));
      files.put(proto.getName(), file);
      for (ServiceDescriptor service : file.getServices()) SERVICES.put(service.getFullName(), service);
    }
  }
}
