package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Security;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SluiceProcessTest {

  private static final String HIT_SECONDS = "networkaddress.cache.ttl";
  private static final String MISS_SECONDS = "networkaddress.cache.negative.ttl";

  private final String before = Security.getProperty(HIT_SECONDS);

  @AfterEach
  void restore() {
    Security.setProperty(HIT_SECONDS, before == null ? "" : before);
  }

  @ParameterizedTest(name = "\"{0}\" -> {1}")
  @CsvSource({"'', 5", "0, 0", "60, 60"})
  void theAddressOfANameIsKeptFor5sUnlessTheAdministratorSaysOtherwise(String set, String kept) {
    Security.setProperty(HIT_SECONDS, set);

    SluiceProcess.rememberNamesBriefly();

    assertThat(Security.getProperty(HIT_SECONDS)).isEqualTo(kept);
  }

  @Test
  void aMissIsNotKept() {
    SluiceProcess.rememberNamesBriefly();

    assertThat(Security.getProperty(MISS_SECONDS)).isEqualTo("0");
  }
}
