package dev.sluice.local.node.logs;

import dev.sluice.local.node.volume.PlacedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A self-signed certificate for 127.0.0.1, made once by the JDK's keytool. */
public final class SelfSigned {
  private static final List<String> OPTIONS =
      List.of(
          ("-genkeypair -alias kubelet -keyalg EC -groupname secp256r1 -dname CN=sluice-local-node"
                  + " -ext san=ip:127.0.0.1 -validity 3650 -storetype PKCS12")
              .split(" "));

  private SelfSigned() {}

  /**
   * The certificate in that file, which is made when it is not there; its password lies beside it.
   *
   * @throws IOException when keytool fails, with what it said
   */
  public static SSLContext context(Path keyStore)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path passwordFile = keyStore.resolveSibling(keyStore.getFileName() + ".password");
    if (!Files.exists(keyStore) || !Files.exists(passwordFile)) {
      make(keyStore, passwordFile);
    }
    char[] password = Files.readString(passwordFile).toCharArray();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStore)) {
      store.load(in, password);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static void make(Path keyStore, Path passwordFile)
      throws IOException, InterruptedException {
    byte[] random = new byte[24];
    new SecureRandom().nextBytes(random);
    byte[] password = Base64.getUrlEncoder().encode(random);
    PlacedFile.write(passwordFile, password, 0600);
    Files.deleteIfExists(keyStore);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(OPTIONS);
    command.addAll(
        List.of("-keystore", keyStore.toString(), "-storepass:file", passwordFile.toString()));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool could not make a certificate: " + said);
    }
  }
}
