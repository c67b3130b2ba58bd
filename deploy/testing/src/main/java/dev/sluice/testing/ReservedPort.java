package dev.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of 127.0.0.1 for a process that is told where to listen. Until this is closed the kernel
 * gives the port to nobody who asks for any one, such as a test beside this one: a socket is bound
 * to it, which does not listen itself, and lets others do so by name (SO_REUSEADDR).
 */
public final class ReservedPort implements AutoCloseable {

  private final Socket socket = new Socket();

  /** One that is free now. */
  public ReservedPort() {
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its number. */
  public int number() {
    return socket.getLocalPort();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
