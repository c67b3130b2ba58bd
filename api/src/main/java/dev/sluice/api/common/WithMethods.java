package dev.sluice.api.common;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a record {@code X}: generate {@code XBuilder} with its interface {@code XBuilder.With}, which
 * has one method per component that copies the record with another value. The record implements
 * that interface.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@RecordBuilder.Template(
    options =
        @RecordBuilder.Options(
            inheritComponentAnnotations = true,
            addClassRetainedGenerated = true,
            nullableAnnotationClass = "org.jspecify.annotations.Nullable",
            enableGetters = false))
public @interface WithMethods {}
