package dev.sluice.local.node.proxy;

import dev.sluice.local.node.fault.ServiceFault;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One forwarded port and its connections. Used by the proxy's thread only. */
final class Port implements Proxy.Ready {
  private static final Logger LOG = LoggerFactory.getLogger(Port.class);

  private final InetSocketAddress listen;
  private final Selector selector;
  private final Set<Link> links = new HashSet<>();
  private @Nullable ServerSocketChannel server;
  private List<InetSocketAddress> endpoints = List.of();
  private @Nullable ServiceFault fault;
  private int turn;

  Port(InetSocketAddress listen, Selector selector) {
    this.listen = listen;
    this.selector = selector;
  }

  /** Nothing behind it means that it does not listen, so that connections are refused. */
  void become(List<InetSocketAddress> endpoints, @Nullable ServiceFault fault) {
    this.endpoints = endpoints;
    this.fault = fault;
    boolean open = fault == ServiceFault.STALL || fault == null && !endpoints.isEmpty();
    if (open && server == null) {
      open();
    } else if (!open) {
      stopListening();
    }
    if (fault == ServiceFault.DROP) {
      List.copyOf(links).forEach(Link::cut);
    }
    List.copyOf(links).forEach(link -> link.hold(fault == ServiceFault.STALL));
  }

  void close() {
    stopListening();
    List.copyOf(links).forEach(Link::cut);
  }

  /** The next endpoint, in turn; null when there is none. */
  @Nullable InetSocketAddress endpoint() {
    return endpoints.isEmpty() ? null : endpoints.get(Math.floorMod(turn++, endpoints.size()));
  }

  void forget(Link link) {
    links.remove(link);
  }

  private void open() {
    try {
      ServerSocketChannel channel = ServerSocketChannel.open();
      try {
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.configureBlocking(false);
        channel.bind(listen, 128);
        channel.register(selector, SelectionKey.OP_ACCEPT, this);
        server = channel;
      } finally {
        if (server == null) {
          channel.close();
        }
      }
    } catch (IOException e) {
      LOG.warn("Cannot listen on {} for a Service: {}", listen, e.getMessage());
    }
  }

  private void stopListening() {
    ServerSocketChannel channel = server;
    server = null;
    if (channel != null) {
      try {
        channel.close();
        selector.selectNow(); // lets go of the address at once
      } catch (IOException e) {
        LOG.warn("Closing {} failed: {}", listen, e.getMessage());
      }
    }
  }

  @Override
  public void ready(SelectionKey key) {
    ServerSocketChannel channel = server;
    if (channel == null) {
      return;
    }
    List<SocketChannel> accepted = new ArrayList<>();
    try {
      for (SocketChannel c = channel.accept(); c != null; c = channel.accept()) {
        accepted.add(c);
      }
      for (SocketChannel client : accepted) {
        Link link = new Link(this, selector, client);
        links.add(link);
        link.hold(fault == ServiceFault.STALL);
      }
    } catch (IOException e) {
      LOG.debug("A connection to {} was lost: {}", listen, e.getMessage());
    }
  }
}
