package dev.sluice.local.cli;

import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.KubeApiTestDirectory;
import dev.sluice.local.parts.PartsProvider;
import dev.sluice.local.parts.Repository;
import dev.sluice.local.parts.ResolvedTool;
import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Provides all binaries: for the integration tests, or to be ready to go offline. */
@Command(
    name = "parts",
    description = "Fetch or build every binary that is missing, and say where they are.")
final class PartsCommand implements Callable<Integer> {

  @Override
  public Integer call() throws IOException {
    CacheDirectory cache = CacheDirectory.ofThisUser();
    Map<Tool, ResolvedTool> resolved =
        PartsProvider.of(cache, Repository.tools(Repository.root()), Session.progress())
            .resolve(Arrays.asList(Tool.values()));
    for (ResolvedTool tool : resolved.values()) {
      System.out.printf(
          "%-24s %-8s %s  (%s)%n",
          tool.tool().binary(), tool.version(), tool.path(), tool.origin());
    }
    Path kubeApiTest = KubeApiTestDirectory.lay(cache, resolved);
    System.out.printf("%-24s %-8s %s%n", "kube-api-test directory", "", kubeApiTest);
    return 0;
  }
}
