/** Tests of the chart in {@code deploy/helm}, with helm and with an API server. */
@NullMarked
package dev.sluice.local.chart;

import org.jspecify.annotations.NullMarked;
