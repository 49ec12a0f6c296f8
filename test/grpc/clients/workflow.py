"""
The workflow of an application in Python: grpcio and classes that protoc generated from the definitions that the server tells of.

    workflow.py FOLDER HOST:PORT     FOLDER has the generated modules
"""

import sys
import threading

import grpc

sys.path.insert(0, sys.argv[1])
from com.daml.ledger.api.v2 import (  # noqa: E402
    command_service_pb2 as command_service,
    commands_pb2 as commands,
    event_pb2 as event,
    state_service_pb2 as state_service,
    transaction_filter_pb2 as filters,
    update_service_pb2 as update_service,
    value_pb2 as value,
    version_service_pb2 as version_service,
)
from com.daml.ledger.api.v2.admin import (  # noqa: E402
    party_management_service_pb2 as parties,
)

V2 = "/com.daml.ledger.api.v2."
channel = grpc.insecure_channel(sys.argv[2])


def unary(method, request, response, timeout=10):
    call = channel.unary_unary(
        V2 + method,
        request_serializer=type(request).SerializeToString,
        response_deserializer=response.FromString,
    )
    return call(request, timeout=timeout)


def stream(method, request, response):
    call = channel.unary_stream(
        V2 + method,
        request_serializer=type(request).SerializeToString,
        response_deserializer=response.FromString,
    )
    return call(request)


version = unary(
    "VersionService/GetLedgerApiVersion",
    version_service.GetLedgerApiVersionRequest(),
    version_service.GetLedgerApiVersionResponse,
).version
print("version", version)

alice = unary(
    "admin.PartyManagementService/AllocateParty",
    parties.AllocatePartyRequest(party_id_hint="python"),
    parties.AllocatePartyResponse,
).party_details.party

everything = filters.EventFormat(filters_by_party={alice: filters.Filters()}, verbose=True)
updates = stream(
    "UpdateService/GetUpdates",
    update_service.GetUpdatesRequest(
        update_format=filters.UpdateFormat(
            include_transactions=filters.TransactionFormat(
                event_format=everything,
                transaction_shape=filters.TRANSACTION_SHAPE_ACS_DELTA,
            )
        )
    ),
    update_service.GetUpdatesResponse,
)
seen = []


def read():
    for response in updates:
        if response.HasField("transaction"):
            seen.append(response.transaction)
            if len(seen) == 2:
                updates.cancel()
                return


reader = threading.Thread(target=read)
reader.start()

IOU = value.Identifier(
    package_id="#canticle-quickstart", module_name="Quickstart.Iou", entity_name="Iou"
)


def create(amount):
    def field(label, **of):
        return value.RecordField(label=label, value=value.Value(**of))

    return commands.Command(
        create=commands.CreateCommand(
            template_id=IOU,
            create_arguments=value.Record(
                fields=[
                    field("issuer", party=alice),
                    field("owner", party=alice),
                    field("currency", text="EUR"),
                    field("amount", numeric=amount),
                    field("observers", list=value.List()),
                ]
            ),
        )
    )


def submit(command_id, *made):
    return unary(
        "CommandService/SubmitAndWait",
        command_service.SubmitAndWaitRequest(
            commands=commands.Commands(
                user_id="python", command_id=command_id, act_as=[alice], commands=made
            )
        ),
        command_service.SubmitAndWaitResponse,
    )


submit("one", create("1.5"))
offset = submit("two", create("2.5")).completion_offset
reader.join(timeout=20)
print("updates", [update.command_id for update in seen])

active = [
    response.active_contract.created_event
    for response in stream(
        "StateService/GetActiveContracts",
        state_service.GetActiveContractsRequest(
            active_at_offset=offset, event_format=everything
        ),
        state_service.GetActiveContractsResponse,
    )
]
amounts = [
    each.value.numeric
    for created in active
    for each in created.create_arguments.fields
    if each.label == "amount"
]
print("active", sorted(amounts))
assert isinstance(active[0], event.CreatedEvent)

try:
    submit("two", create("2.5"))
    print("refused", "not at all")
except grpc.RpcError as error:
    details = dict(error.trailing_metadata())["grpc-status-details-bin"]
    reasons = [
        kind
        for kind in (b"ErrorInfo", b"RequestInfo", b"DUPLICATE_COMMAND")
        if kind in details
    ]
    print("refused", error.code().name, [each.decode() for each in reasons])
