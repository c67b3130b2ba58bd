package dev.sluice.local.node.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpansionTest {

  @ParameterizedTest
  @CsvSource({
    "$(A), one",
    "x$(A)-$(B)y, xone-two words y",
    "$(MISSING), $(MISSING)",
    "$$(A), $(A)",
    "$A ${A}, $A ${A}",
    "cost $$5, cost $5",
  })
  void replacesKnownReferencesAndNothingElse(String text, String expanded) {
    assertThat(Environment.expand(text, Map.of("A", "one", "B", "two words "))).isEqualTo(expanded);
  }
}
