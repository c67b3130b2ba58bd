package dev.sluice.local.node;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A self-signed certificate for 127.0.0.1, made once by the JDK's keytool. */
final class SelfSigned {
  /** Protects nothing: only their owner can read the file and its folder. */
  private static final String PASSWORD = "sluice";

  private static final String OPTIONS =
      "-genkeypair -alias kubelet -keyalg EC -groupname secp256r1 -dname CN=sluice-local-node"
          + " -ext san=ip:127.0.0.1 -validity 3650 -storetype PKCS12 -storepass "
          + PASSWORD;

  private SelfSigned() {}

  /**
   * The certificate in that file, which is made when it is not there or is empty.
   *
   * @throws IOException when keytool fails, with what it said
   */
  static SSLContext context(Path keyStore)
      throws IOException, GeneralSecurityException, InterruptedException {
    if (keyStore.toFile().length() == 0) {
      make(keyStore);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStore)) {
      store.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static void make(Path keyStore) throws IOException, InterruptedException {
    Path draft = keyStore.resolveSibling(keyStore.getFileName() + ".new");
    Files.deleteIfExists(draft);
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command = new ArrayList<>(List.of(keytool.toString()));
    command.addAll(List.of(OPTIONS.split(" ")));
    command.addAll(List.of("-keystore", draft.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool could not make a certificate: " + said);
    }
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
    Files.move(draft, keyStore, StandardCopyOption.REPLACE_EXISTING);
  }
}
