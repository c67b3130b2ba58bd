package dev.sluice.local.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The copies of our own programs in a cluster's home: the newest, and those that still run. */
final class StagedApplications {

  private final Path home;

  StagedApplications(Path home) {
    this.home = home;
  }

  /** Makes the copies of what is built now and deletes those that nothing runs from any more. */
  void lay(List<Application> current) throws IOException {
    for (Application application : current) {
      application.stage(home);
    }
    List<Path> wanted = current.stream().map(application -> application.folder(home)).toList();
    MarkedProcesses processes = new MarkedProcesses(home);
    for (Path folder : Folders.list(Application.folders(home))) {
      if (!wanted.contains(folder) && !processes.anyRuns(folder + "/")) {
        Folders.delete(folder);
      }
    }
  }
}
