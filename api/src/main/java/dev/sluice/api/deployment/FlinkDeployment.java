package dev.sluice.api.deployment;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** A Flink cluster on Kubernetes: an application cluster with its job, or a session cluster. */
@Group(FlinkDeployment.GROUP)
@Version(FlinkDeployment.VERSION)
@Kind(FlinkDeployment.KIND)
@Plural(FlinkDeployment.PLURAL)
@Singular("flinkdeployment")
@ShortNames("flinkdep")
public class FlinkDeployment extends CustomResource<FlinkDeploymentSpec, FlinkDeploymentStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** API group. */
  public static final String GROUP = "flink.apache.org";

  /** API version inside the group. */
  public static final String VERSION = "v1beta1";

  /** As in {@code apiVersion}. */
  public static final String API_VERSION = GROUP + "/" + VERSION;

  /** As in {@code kind}. */
  public static final String KIND = "FlinkDeployment";

  /** As in URLs and in {@code kubectl get}. */
  public static final String PLURAL = "flinkdeployments";

  @Override
  protected FlinkDeploymentSpec initSpec() {
    return FlinkDeploymentSpec.EMPTY;
  }

  @Override
  protected FlinkDeploymentStatus initStatus() {
    return FlinkDeploymentStatus.EMPTY;
  }

  /** Null means a spec that says nothing: {@link #getSpec} never returns null. */
  @Override
  public void setSpec(@Nullable FlinkDeploymentSpec spec) {
    super.setSpec(spec == null ? FlinkDeploymentSpec.EMPTY : spec);
  }

  /** Null means a status that says nothing: {@link #getStatus} never returns null. */
  @Override
  public void setStatus(@Nullable FlinkDeploymentStatus status) {
    super.setStatus(status == null ? FlinkDeploymentStatus.EMPTY : status);
  }
}
