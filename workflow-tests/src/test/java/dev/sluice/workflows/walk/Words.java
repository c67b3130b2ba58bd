package dev.sluice.workflows.walk;

import com.google.common.base.Throwables;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.HostModel;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.ResourceModel;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import dev.sluice.workflows.operation.LaneSignals;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is done, one after the other: {@code deploy old highlyAvailable; killJobManager; apply new
 * invalid}. Each is a method: of {@link Lane} while a run may be open, of this class, of {@link
 * StraightOperator}, {@link Environment}, {@link ResourceModel} or, with {@code host.}, of {@link
 * HostModel}. A spec is its content and the methods of {@link JobShape} and {@link Spec} that make
 * it so; a path is that of a savepoint of another job, by its progress.
 */
final class Words {

  /** Looked up for each case of a walk. */
  private static final ClassValue<List<Method>> METHODS =
      new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
          return List.of(type.getDeclaredMethods());
        }
      };

  private final Environment environment;
  private final @Nullable Lane lane;
  private final @Nullable Point point;

  private Words(Environment environment, @Nullable Lane lane, @Nullable Point point) {
    this.environment = environment;
    this.lane = lane;
    this.point = point;
  }

  /** Before the controller looks. */
  static Consumer<Environment> given(String words) {
    return environment -> new Words(environment, null, null).carryOut(words);
  }

  /** At a moment of a lane. */
  static BiConsumer<Lane, Point> happens(String words) {
    return (lane, point) -> new Words(lane.environment(), lane, point).carryOut(words);
  }

  /** While no run is open. */
  static Consumer<Lane> atRest(String words) {
    return lane -> new Words(lane.environment(), lane, null).carryOut(words);
  }

  // ---- what no other class has as it is said here ----

  void rollBack() {
    environment.resource().rollback().ask(null, false, environment.resource());
  }

  void rollBackWithNewestState() {
    environment.resource().rollback().ask(null, true, environment.resource());
  }

  void retry() {
    Objects.requireNonNull(lane).signal(LaneSignals.RETRY);
  }

  /** The worker is lost that carries the activity out. */
  void loseWorker() {
    throw WorkerLost.at(Objects.requireNonNull(point));
  }

  /** The activity fails so often. */
  void failNext(int times) {
    Objects.requireNonNull(lane).failNext(Objects.requireNonNull(point).step(), times);
  }

  // ---- methods by their names ----

  private void carryOut(String words) {
    for (String step : words.split("; ")) {
      String[] parts = step.split(" ", 2);
      boolean ofHost = parts[0].startsWith("host.");
      List<Object> targets =
          ofHost
              ? List.of(Objects.requireNonNull(environment.host()))
              : Stream.of(lane, this, StraightOperator.class, environment, environment.resource())
                  .filter(Objects::nonNull)
                  .toList();
      List<String> given = parts.length == 1 ? List.of() : List.of(parts[1].split(" -> "));
      call(targets, ofHost ? parts[0].substring(5) : parts[0], given);
    }
  }

  private void call(List<Object> targets, String name, List<String> given) {
    for (Object target : targets) {
      boolean isStatic = target instanceof Class<?>;
      Class<?> type = isStatic ? (Class<?>) target : target.getClass();
      int skipped = isStatic ? 1 : 0;
      for (Method method : METHODS.get(type)) {
        if (method.getName().equals(name)
            && Modifier.isStatic(method.getModifiers()) == isStatic
            && method.getParameterCount() == given.size() + skipped
            && method.canAccess(isStatic ? null : target)) {
          List<Object> arguments = new ArrayList<>();
          if (isStatic) {
            arguments.add(environment);
          }
          for (int i = 0; i < given.size(); i++) {
            arguments.add(value(method.getParameterTypes()[i + skipped], given.get(i)));
          }
          Object unused = invoke(method, isStatic ? null : target, arguments);
          return;
        }
      }
    }
    throw new IllegalArgumentException("no method " + name + " with " + given);
  }

  private Object value(Class<?> type, String word) {
    return type == Spec.class ? spec(word) : plain(type, word);
  }

  private static Object plain(Class<?> type, String word) {
    if (type == int.class) {
      return Integer.parseInt(word);
    }
    return type.isEnum()
        ? Stream.of(type.getEnumConstants())
            .filter(it -> ((Enum<?>) it).name().equals(word))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no " + type + " " + word))
        : word;
  }

  private Spec spec(String words) {
    List<String> content = new ArrayList<>();
    JobShape shape = JobShape.HEALTHY;
    List<String> ofSpec = new ArrayList<>();
    for (String word : words.split(" ")) {
      if (variant(JobShape.class, word) != null) {
        shape = (JobShape) made(shape, word);
      } else {
        (variant(Spec.class, word) == null ? content : ofSpec).add(word);
      }
    }
    Spec spec = Spec.of(String.join(" ", content), shape);
    for (String word : ofSpec) {
      spec = (Spec) made(spec, word);
    }
    return spec;
  }

  /** The method of that name which returns another one of its kind. */
  private static @Nullable Method variant(Class<?> type, String word) {
    String[] parts = word.split("=", 2);
    return METHODS.get(type).stream()
        .filter(it -> it.getName().equals(parts[0]) && it.getReturnType() == type)
        .filter(it -> it.getParameterCount() == parts.length - 1)
        .findFirst()
        .orElse(null);
  }

  private Object made(Object from, String word) {
    Method method = Objects.requireNonNull(variant(from.getClass(), word));
    List<Object> arguments = new ArrayList<>();
    for (Class<?> type : method.getParameterTypes()) {
      String given = word.split("=", 2)[1];
      arguments.add(
          type == String.class
              ? environment.savepointOfAnother(Integer.parseInt(given))
              : plain(type, given));
    }
    return invoke(method, from, arguments);
  }

  private static Object invoke(Method method, @Nullable Object target, List<Object> arguments) {
    try {
      return method.invoke(target, arguments.toArray());
    } catch (InvocationTargetException e) {
      Throwables.throwIfUnchecked(e.getCause());
      throw new IllegalStateException(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
