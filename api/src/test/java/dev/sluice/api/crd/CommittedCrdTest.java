package dev.sluice.api.crd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** People install what is committed, so it must be what the types say. */
class CommittedCrdTest {
  private static final Path GENERATED = Path.of("target/classes/META-INF/fabric8");
  private static final Path CRDS = Path.of("../deploy/crds");

  /** Of kinds that are not installed by the chart. */
  private static final Path PREVIEW = Path.of("../deploy/preview");

  static List<Path> definitions() throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path folder : List.of(GENERATED, CRDS, PREVIEW)) {
      try (Stream<Path> files = Files.list(folder)) {
        files.map(Path::getFileName).filter(it -> !all.contains(it)).forEach(all::add);
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void theCommittedDefinitionIsTheGeneratedOne(Path file) throws IOException {
    Path committed = Files.exists(CRDS.resolve(file)) ? CRDS.resolve(file) : PREVIEW.resolve(file);

    assertThat(committed)
        .as(
            "%s differs from what the types generate. Look at the difference, then run, in api:"
                + " cp %s/%s %s",
            file, GENERATED, file, committed)
        .hasContent(Files.readString(GENERATED.resolve(file)));
    // kubectl apply keeps the whole object in an annotation of at most 256 KiB
    assertThat(Files.size(committed)).isLessThan(64_000);
  }
}
