package dev.sluice.local.node.probe;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.HTTPHeader;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;

/** Runs a probe once. */
final class Check {
  private Check() {}

  /** Why the probe failed; empty when it succeeded. */
  static Optional<String> run(Probe probe, Target target) throws InterruptedException {
    Integer seconds = probe.getTimeoutSeconds();
    Duration timeout = Duration.ofSeconds(seconds == null ? 1 : Math.max(1, seconds));
    try {
      if (probe.getHttpGet() != null) {
        return http(probe.getHttpGet(), target, timeout);
      }
      if (probe.getTcpSocket() != null) {
        return tcp(port(probe.getTcpSocket().getPort(), target), target, timeout);
      }
      if (probe.getExec() != null) {
        return ExecCheck.run(probe.getExec().getCommand(), target, timeout);
      }
      return Optional.of("The local node knows httpGet, tcpSocket and exec probes only");
    } catch (IOException | URISyntaxException e) {
      return Optional.of(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  /** Success is a status from 200 to 399, as for a kubelet. */
  private static Optional<String> http(HTTPGetAction action, Target target, Duration timeout)
      throws IOException, URISyntaxException {
    String scheme = action.getScheme() == null ? "http" : action.getScheme();
    String host = action.getHost() == null ? target.ip() : action.getHost();
    String path = action.getPath() == null ? "/" : action.getPath();
    URI uri =
        new URI(
            "%s://%s:%d%s%s"
                .formatted(
                    scheme.toLowerCase(Locale.ROOT),
                    host,
                    port(action.getPort(), target),
                    path.startsWith("/") ? "" : "/",
                    path));
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    if (connection instanceof HttpsURLConnection https) {
      AnyCertificate.accept(https);
    }
    connection.setConnectTimeout((int) timeout.toMillis());
    connection.setReadTimeout((int) timeout.toMillis());
    connection.setUseCaches(false);
    connection.setRequestProperty("Connection", "close");
    connection.setRequestProperty("User-Agent", "kube-probe/1.34");
    List<HTTPHeader> headers =
        action.getHttpHeaders() == null ? List.of() : action.getHttpHeaders();
    headers.forEach(header -> connection.setRequestProperty(header.getName(), header.getValue()));
    try {
      int status = connection.getResponseCode();
      return status >= 200 && status < 400
          ? Optional.empty()
          : Optional.of("HTTP probe failed with statuscode: " + status);
    } finally {
      connection.disconnect();
    }
  }

  private static Optional<String> tcp(int port, Target target, Duration timeout)
      throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(target.ip(), port), (int) timeout.toMillis());
      return Optional.empty();
    }
  }

  private static int port(IntOrString port, Target target) throws IOException {
    if (port.getIntVal() != null) {
      return port.getIntVal();
    }
    List<ContainerPort> ports =
        target.container().getPorts() == null ? List.of() : target.container().getPorts();
    return ports.stream()
        .filter(known -> port.getStrVal().equals(known.getName()))
        .findFirst()
        .orElseThrow(() -> new IOException("There is no port named " + port.getStrVal()))
        .getContainerPort();
  }
}
