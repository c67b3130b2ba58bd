package dev.sluice.testing;

import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands one thing to every constructor and method of a test that has a parameter for it. It is made
 * when it is first asked for, and closed after the last test.
 */
public abstract class OnePerRun<T extends AutoCloseable> implements ParameterResolver {

  private final Class<T> type;
  private final Supplier<T> make;

  /** One of this type, made like this. */
  protected OnePerRun(Class<T> type, Supplier<T> make) {
    this.type = type;
    this.make = make;
  }

  @Override
  public final boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == type;
  }

  @Override
  public final Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(ExtensionContext.Namespace.create(type))
        .computeIfAbsent(type, key -> make.get(), type);
  }
}
