import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Queries over JDBC: arguments are the URL, the user and the password. */
public class Queries {
  public static void main(String[] args) throws Exception {
    String url = args[0];
    // A new connection for each query, as Spring's DriverManagerDataSource makes them.
    ExecutorService threads = Executors.newFixedThreadPool(4);
    AtomicInteger good = new AtomicInteger();
    for (int n = 0; n < 12; n++) {
      int id = n;
      threads.submit(() -> {
        try (Connection one = DriverManager.getConnection(url, args[1], args[2]);
            PreparedStatement statement = one.prepareStatement("select ?::int + 1")) {
          statement.setInt(1, id);
          ResultSet rows = statement.executeQuery();
          if (rows.next() && rows.getInt(1) == id + 1) good.incrementAndGet();
        }
        return null;
      });
    }
    threads.shutdown();
    threads.awaitTermination(60, TimeUnit.SECONDS);
    System.out.println("connections " + good.get());
    try (Connection one = DriverManager.getConnection(url, args[1], args[2]);
        Connection other = DriverManager.getConnection(url, args[1], args[2])) {
      // Above the threshold at which JDBC names its prepared statements.
      int sum = 0;
      try (PreparedStatement left = one.prepareStatement("select ?::int");
          PreparedStatement right = other.prepareStatement("select ?::int * 10")) {
        for (int n = 0; n < 8; n++) {
          for (PreparedStatement each : new PreparedStatement[] {left, right}) {
            each.setInt(1, n);
            ResultSet rows = each.executeQuery();
            rows.next();
            sum += rows.getInt(1);
          }
        }
      }
      System.out.println("sum " + sum);
      one.setAutoCommit(false);
      try (Statement statement = one.createStatement()) {
        statement.execute("create table of_java (id int, name text)");
        try (PreparedStatement insert = one.prepareStatement("insert into of_java values (?, ?)")) {
          for (int n = 0; n < 5; n++) {
            insert.setInt(1, n);
            insert.setString(2, "n" + n);
            insert.addBatch();
          }
          System.out.println("batch " + insert.executeBatch().length);
        }
        // With a fetch size, JDBC reads a portal in parts.
        statement.setFetchSize(2);
        int count = 0;
        for (ResultSet rows = statement.executeQuery("select * from of_java"); rows.next(); ) count++;
        System.out.println("fetched " + count);
      }
      one.rollback();
      try (Statement statement = other.createStatement()) {
        statement.executeQuery("select * from of_java");
      } catch (SQLException error) {
        System.out.println("error " + error.getSQLState());
      }
    }
    try {
      DriverManager.getConnection(url, args[1], "wrong");
    } catch (SQLException error) {
      System.out.println("password " + error.getSQLState());
    }
  }
}
