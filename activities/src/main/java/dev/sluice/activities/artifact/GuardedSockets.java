package dev.sluice.activities.artifact;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;

/**
 * Sockets that connect only where {@link AddressRules} permit it. They see the address that is
 * connected to, whatever the host resolved to before, and also where nothing had to be resolved.
 */
final class GuardedSockets extends SocketFactory {

  private final AddressRules rules;

  GuardedSockets(AddressRules rules) {
    this.rules = rules;
  }

  /** The host is at an address that artifacts may not come from. */
  static final class Forbidden extends IOException {
    private static final long serialVersionUID = 1L;

    Forbidden(String address) {
      super(address);
    }
  }

  @Override
  public Socket createSocket() {
    return new Socket() {
      @Override
      public void connect(SocketAddress endpoint) throws IOException {
        connect(endpoint, 0);
      }

      @Override
      public void connect(SocketAddress endpoint, int timeout) throws IOException {
        InetAddress address =
            endpoint instanceof InetSocketAddress internet ? internet.getAddress() : null;
        if (address == null) {
          throw new Forbidden(endpoint.toString());
        }
        if (!rules.permit(address)) {
          throw new Forbidden(address.getHostAddress());
        }
        super.connect(endpoint, timeout);
      }
    };
  }

  // an HTTP client connects its sockets itself

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException();
  }
}
