package dev.sluice.api.common;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import org.jspecify.annotations.Nullable;

/**
 * A custom resource whose spec and status are never null.
 *
 * @param <S> spec
 * @param <T> status
 */
public abstract class SluiceResource<S, T> extends CustomResource<S, T> implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** Null means a spec that says nothing. */
  @Override
  public void setSpec(@Nullable S spec) {
    super.setSpec(spec == null ? initSpec() : spec);
  }

  /** Null means a status that says nothing. */
  @Override
  public void setStatus(@Nullable T status) {
    super.setStatus(status == null ? initStatus() : status);
  }
}
