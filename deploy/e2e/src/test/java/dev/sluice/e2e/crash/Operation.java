package dev.sluice.e2e.crash;

import java.util.List;

/** An operation on a resource, with the steps that it takes. */
interface Operation {

  /** Of which kind the resource is. */
  Kind kind();

  /**
   * In the order in which an operation that nobody disturbs takes them. A step of which a run has
   * no need is reported as not reached.
   */
  List<Step> steps();

  /** As on the command line and in reports. */
  @Override
  String toString();
}
