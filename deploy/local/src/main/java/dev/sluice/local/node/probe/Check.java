package dev.sluice.local.node.probe;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * Runs probes of a container.
 *
 * @param ip the pod's address
 */
record Check(Container container, String ip) {

  /** Why the probe failed; empty when it succeeded. */
  Optional<String> run(Probe probe) {
    int timeout = 1000 * probe.getTimeoutSeconds();
    try {
      if (probe.getHttpGet() != null) {
        return http(probe.getHttpGet(), timeout);
      }
      try (Socket socket = new Socket()) { // there is no other kind, see PodFields
        socket.connect(new InetSocketAddress(ip, port(probe.getTcpSocket().getPort())), timeout);
        return Optional.empty();
      }
    } catch (IOException | URISyntaxException | IllegalArgumentException e) {
      return Optional.of(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  /** Success is a status from 200 to 399, as for a kubelet. */
  private Optional<String> http(HTTPGetAction action, int timeout)
      throws IOException, URISyntaxException {
    String path = action.getPath() == null ? "/" : action.getPath();
    URI uri =
        new URI(
            "http://%s:%d%s%s"
                .formatted(ip, port(action.getPort()), path.startsWith("/") ? "" : "/", path));
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setConnectTimeout(timeout);
    connection.setReadTimeout(timeout);
    connection.setUseCaches(false);
    connection.setRequestProperty("Connection", "close");
    try {
      int status = connection.getResponseCode();
      return status >= 200 && status < 400
          ? Optional.empty()
          : Optional.of("HTTP probe failed with statuscode: " + status);
    } finally {
      connection.disconnect();
    }
  }

  private int port(IntOrString port) throws IOException {
    if (port.getIntVal() != null) {
      return port.getIntVal();
    }
    return container.getPorts().stream()
        .filter(known -> port.getStrVal().equals(known.getName()))
        .findFirst()
        .orElseThrow(() -> new IOException("There is no port named " + port.getStrVal()))
        .getContainerPort();
  }
}
