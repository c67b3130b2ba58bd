package dev.sluice.local.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A pod's process for tests: answers on POD_IP:8080 with its name, {@code /resolve/NAME} with a
 * name's addresses, {@code /healthz} with 500 while there is a file {@code sick} in its folder,
 * {@code /exists/NAME} with 500 until there is a file of that name.
 */
public final class AnswersMain {
  private AnswersMain() {}

  public static void main(String[] args) throws IOException {
    String ip = System.getenv("POD_IP");
    HttpServer server = HttpServer.create(new InetSocketAddress(ip, 8080), 16);
    server.createContext("/", exchange -> answer(exchange, 200, System.getenv("HOSTNAME")));
    server.createContext(
        "/healthz",
        exchange -> answer(exchange, Files.exists(Path.of("sick")) ? 500 : 200, "health"));
    server.createContext(
        "/exists/",
        exchange -> {
          String name = exchange.getRequestURI().getPath().substring("/exists/".length());
          answer(exchange, Files.exists(Path.of(name)) ? 200 : 500, name);
        });
    server.createContext(
        "/resolve/",
        exchange -> {
          String name = exchange.getRequestURI().getPath().substring("/resolve/".length());
          answer(exchange, 200, resolve(name));
        });
    server.start();
    System.out.println("answering on " + ip);
  }

  private static String resolve(String name) {
    try {
      return Arrays.stream(InetAddress.getAllByName(name))
          .map(InetAddress::getHostAddress)
          .sorted()
          .collect(Collectors.joining(" "));
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }
}
