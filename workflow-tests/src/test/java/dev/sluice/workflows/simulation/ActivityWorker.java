package dev.sluice.workflows.simulation;

import io.temporal.api.common.v1.Payloads;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.metadata.POJOActivityInterfaceMetadata;
import io.temporal.common.metadata.POJOActivityMethodMetadata;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Calls activities by their types. What they are given and what they answer is serialized. */
public final class ActivityWorker {

  private final DataConverter converter = DefaultDataConverter.STANDARD_INSTANCE;
  private final Object implementation;
  private final Map<String, Method> methods = new HashMap<>();

  /** A worker for these activities. */
  public ActivityWorker(Object implementation, Class<?>... interfaces) {
    this.implementation = implementation;
    for (Class<?> type : interfaces) {
      for (POJOActivityMethodMetadata it :
          POJOActivityInterfaceMetadata.newInstance(type).getMethodsMetadata()) {
        methods.put(it.getActivityTypeName(), it.getMethod());
      }
    }
  }

  /**
   * Calls an activity.
   *
   * @throws RuntimeException what the activity throws
   */
  Optional<Payloads> call(String type, Payloads input) {
    Method method = Objects.requireNonNull(methods.get(type), type);
    Object[] arguments =
        DataConverter.arrayFromPayloads(
            converter,
            Optional.of(input),
            method.getParameterTypes(),
            method.getGenericParameterTypes());
    try {
      return converter.toPayloads(method.invoke(implementation, arguments));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
