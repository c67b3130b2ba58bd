package dev.sluice.workflows.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.deployment.Delete;
import dev.sluice.workflows.deployment.Deploy;
import dev.sluice.workflows.deployment.Recover;
import dev.sluice.workflows.deployment.Rollback;
import dev.sluice.workflows.deployment.Upgrade;
import org.junit.jupiter.api.Test;

class HandOverTest {

  /** A lane is handed to a workflow type by the name of its operation. */
  @Test
  void anOperationIsNamedAlikeInTheStatusAndInTemporal() {
    assertThat(Deploy.TYPE).isEqualTo(OperationType.DEPLOY.wire());
    assertThat(Upgrade.TYPE).isEqualTo(OperationType.UPGRADE.wire());
    assertThat(Rollback.TYPE).isEqualTo(OperationType.ROLLBACK.wire());
    assertThat(Recover.TYPE).isEqualTo(OperationType.RECOVER.wire());
    assertThat(Delete.TYPE).isEqualTo(OperationType.DELETE.wire());
  }
}
