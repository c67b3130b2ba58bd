package dev.sluice.local.node.proxy;

import dev.sluice.local.node.fault.ServiceFault;
import dev.sluice.local.node.service.Forward;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All forwarded ports. Everything happens on one thread; other threads hand it tasks. */
public final class Proxy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);

  private final Selector selector = Selector.open();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Map<InetSocketAddress, Port> ports = new HashMap<>();

  public Proxy() throws IOException {
    Thread thread = new Thread(this::run, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Brings the ports to what is wanted; a port that is not named any more is closed with its
   * connections.
   *
   * @param faults by {@code namespace/name} of the Service
   * @return done when it is so
   */
  public CompletableFuture<Void> apply(
      Collection<Forward> forwards, Map<String, ServiceFault> faults) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    tasks.add(
        () -> {
          try {
            change(forwards, faults);
            done.complete(null);
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    selector.wakeup();
    return done;
  }

  private void change(Collection<Forward> forwards, Map<String, ServiceFault> faults) {
    Map<InetSocketAddress, Port> unwanted = new HashMap<>(ports);
    for (Forward forward : forwards) {
      unwanted.remove(forward.listen());
      ports
          .computeIfAbsent(forward.listen(), listen -> new Port(listen, selector))
          .become(forward.endpoints(), faults.get(forward.service()));
    }
    unwanted.forEach(
        (listen, port) -> {
          port.close();
          ports.remove(listen);
        });
  }

  private void run() {
    try {
      while (selector.isOpen()) {
        selector.select();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
          task.run();
        }
        for (SelectionKey key : selector.selectedKeys()) {
          serve(key);
        }
        selector.selectedKeys().clear();
      }
    } catch (ClosedSelectorException e) {
      LOG.debug("The node ends", e);
    } catch (IOException e) {
      LOG.error("The service proxy has ended: Services answer no more", e);
    }
  }

  private static void serve(SelectionKey key) {
    try {
      if (key.isValid() && key.attachment() instanceof Ready ready) {
        ready.ready(key);
      }
    } catch (RuntimeException e) {
      LOG.warn("A forwarded connection failed", e);
    }
  }

  /** What is attached to a key. */
  interface Ready {
    /** The channel can do something it was registered for. */
    void ready(SelectionKey key);
  }

  @Override
  public void close() throws IOException {
    selector.close();
  }
}
