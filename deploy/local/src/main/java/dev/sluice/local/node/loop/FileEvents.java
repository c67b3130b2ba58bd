package dev.sluice.local.node.loop;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells about changed files in some folders, with one thread for all of them (inotify on Linux).
 */
public final class FileEvents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FileEvents.class);

  private final WatchService service;
  private final Map<WatchKey, Listener> listeners = new HashMap<>();

  /** Hears of files. */
  public interface Listener {
    /** A file has been made or changed. */
    void changed(String name);

    /** Some events were lost: anything may have changed. */
    void lost();
  }

  /**
   * @param changed told the name of a file that has been made or changed
   * @param lost told when anything may have changed
   */
  public static Listener listener(Consumer<String> changed, Runnable lost) {
    return new Listener() {
      @Override
      public void changed(String name) {
        changed.accept(name);
      }

      @Override
      public void lost() {
        lost.run();
      }
    };
  }

  /**
   * @param anyFolder only to find the right file system
   */
  public FileEvents(Path anyFolder) throws IOException {
    this.service = anyFolder.getFileSystem().newWatchService();
  }

  /** Watches a folder; before {@link #start}. */
  public void watch(Path folder, Listener listener) throws IOException {
    WatchKey key =
        folder.register(
            service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
    listeners.put(key, listener);
  }

  /** Starts to tell. */
  public void start() {
    Thread thread = new Thread(this::run, "file-events");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        WatchKey key = service.take();
        Listener listener = listeners.get(key);
        for (WatchEvent<?> event : key.pollEvents()) {
          if (listener != null) {
            tell(listener, event);
          }
        }
        key.reset();
      }
    } catch (ClosedWatchServiceException | InterruptedException e) {
      Thread.currentThread().interrupt(); // the node ends
    }
  }

  private static void tell(Listener listener, WatchEvent<?> event) {
    try {
      if (event.context() instanceof Path name) {
        listener.changed(name.toString());
      } else {
        listener.lost();
      }
    } catch (RuntimeException e) {
      LOG.warn("Could not take up a change of {}", event.context(), e);
    }
  }

  @Override
  public void close() throws IOException {
    service.close();
  }
}
