/** Real parts, and stand-ins for what cannot be had, for the tests of the controller. */
package dev.sluice.controller.support;
