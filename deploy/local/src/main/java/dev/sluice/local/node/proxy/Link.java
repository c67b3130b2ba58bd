package dev.sluice.local.node.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connection: the client's socket, the pod's socket, and what is on its way between them. */
final class Link implements Proxy.Ready {
  private final Port port;
  private final Selector selector;
  private final SocketChannel client;
  private final Pipe up = new Pipe();
  private final Pipe down = new Pipe();
  private @Nullable SocketChannel pod;
  private boolean held;

  /** Bytes in one direction. */
  private static final class Pipe {
    final ByteBuffer bytes = ByteBuffer.allocate(16 * 1024); // ready to be filled
    boolean sourceEnded;
    boolean endPassedOn;
  }

  Link(Port port, Selector selector, SocketChannel client) throws IOException {
    this.port = port;
    this.selector = selector;
    this.client = client;
    prepare(client);
    client.register(selector, 0, this);
  }

  /** Stops the bytes, or lets them go on; the connection to the pod waits for that too. */
  void hold(boolean hold) {
    held = hold;
    try {
      if (!held && pod == null) {
        connect();
      }
      interest();
    } catch (IOException e) {
      cut();
    }
  }

  /** Ends both sides at once, with a reset. */
  void cut() {
    port.forget(this);
    reset(client);
    SocketChannel other = pod;
    if (other != null) {
      reset(other);
    }
  }

  private void connect() throws IOException {
    InetSocketAddress endpoint = port.endpoint();
    if (endpoint == null) {
      throw new IOException("No endpoint");
    }
    SocketChannel channel = SocketChannel.open();
    pod = channel;
    prepare(channel);
    channel.register(selector, SelectionKey.OP_CONNECT, this);
    channel.connect(endpoint);
  }

  @Override
  public void ready(SelectionKey key) {
    SocketChannel other = pod;
    try {
      if (other != null && key.channel() == other && key.isConnectable()) {
        other.finishConnect();
      }
      if (!held && other != null && other.isConnected()) {
        pump(client, other, up);
        pump(other, client, down);
      }
      if (up.endPassedOn && down.endPassedOn) {
        port.forget(this);
        client.close();
        if (other != null) {
          other.close();
        }
      } else {
        interest();
      }
    } catch (IOException e) {
      cut();
    }
  }

  private static void pump(SocketChannel from, SocketChannel to, Pipe pipe) throws IOException {
    if (!pipe.sourceEnded && pipe.bytes.hasRemaining()) {
      pipe.sourceEnded = from.read(pipe.bytes) < 0;
    }
    pipe.bytes.flip();
    if (pipe.bytes.hasRemaining()) {
      to.write(pipe.bytes);
    }
    pipe.bytes.compact();
    if (pipe.sourceEnded && pipe.bytes.position() == 0 && !pipe.endPassedOn) {
      to.shutdownOutput();
      pipe.endPassedOn = true;
    }
  }

  private void interest() throws IOException {
    SocketChannel other = pod;
    boolean connected = other != null && other.isConnected();
    set(client, held || !connected ? 0 : ops(up, down));
    if (other != null) {
      int waiting = connected ? 0 : SelectionKey.OP_CONNECT;
      set(other, held || !connected ? waiting : ops(down, up));
    }
  }

  /** What a socket waits for that is read into one pipe and written from the other. */
  private static int ops(Pipe in, Pipe out) {
    int read = !in.sourceEnded && in.bytes.hasRemaining() ? SelectionKey.OP_READ : 0;
    return read | (out.bytes.position() > 0 ? SelectionKey.OP_WRITE : 0);
  }

  private void set(SocketChannel channel, int ops) throws IOException {
    SelectionKey key = channel.keyFor(selector);
    if (key == null || !key.isValid()) {
      throw new IOException("Closed");
    }
    key.interestOps(ops);
  }

  private static void prepare(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  private static void reset(SocketChannel channel) {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      channel.close();
    } catch (IOException e) {
      // closed already
    }
  }
}
