package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.SessionJobSource.SessionJob;
import dev.sluice.activities.support.Created;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which FlinkSessionJobs hold the deletion of a session cluster. */
@ExtendWith(ApiServer.Extension.class)
class FlinkSessionJobsIT {

  private static final String JOB = "0123456789abcdef0123456789abcdef";

  private KubernetesClient client;
  private String namespace;

  @BeforeEach
  void namespace(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
  }

  private void create(String name, String cluster, @Nullable Submission submission) {
    FlinkSessionJob job = new FlinkSessionJob();
    job.getMetadata().setName(name);
    job.setSpec(
        new FlinkSessionJobSpec(
            cluster, JobSpec.of("local:///job.jar", 1, UpgradeMode.STATELESS), null, null));
    job.setStatus(FlinkSessionJobStatus.EMPTY.withSubmission(submission));
    FlinkSessionJob unused = Created.in(client, namespace, job);
  }

  private List<SessionJob> of(String cluster) {
    return new FlinkSessionJobs(client).of(new ClusterRef(namespace, cluster));
  }

  @Test
  void thoseThatNameTheClusterAreFoundWithTheirJobs() {
    create("orders", "session", new Submission(JOB, 1L, "c1", null, null, null));
    create("totals", "session", null);
    create("other", "another", new Submission(JOB, 1L, "c1", null, null, null));

    assertThat(of("session"))
        .containsExactlyInAnyOrder(new SessionJob("orders", JOB), new SessionJob("totals", null));
    assertThat(of("ses")).isEmpty();
  }
}
