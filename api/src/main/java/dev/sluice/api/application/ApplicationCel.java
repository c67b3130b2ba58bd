package dev.sluice.api.application;

/** CEL rules over the whole resource; see {@code CelRules} of the FlinkDeployment. */
final class ApplicationCel {

  /** The longest name made of it is {@code <name>-<hash of 10>}, of a Service. */
  static final String NAME =
      "oldSelf.hasValue() || self.metadata.name.matches('^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$')";

  /** Compared with a literal each: the API server finds comparing two strings too costly. */
  static final String MODE =
      "self.?status.?deployHash.orValue('') == ''"
          + " || (self.?spec.?deploymentMode.orValue('Dual') == 'Dual')"
          + " == (oldSelf.?spec.?deploymentMode.orValue('Dual') == 'Dual')";

  private ApplicationCel() {}
}
