CREATE TABLE "workplaces" (
	"workplace_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workplaces_workplace_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"department_id" integer,
	"country" text,
	"region" text,
	"time_zone" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workplaces_unique_department" UNIQUE NULLS NOT DISTINCT("department_id")
);
--> statement-breakpoint
CREATE TABLE "attendances" (
	"attendance_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attendances_attendance_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"event_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"attendance" text NOT NULL,
	"note" text,
	"noted_by_id" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attendants" (
	"attendant_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attendants_attendant_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"event_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"rsvp" text NOT NULL,
	"invited_by_id" integer,
	"answered_at" timestamp(3) with time zone,
	"waiting_since" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"event_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"title" text NOT NULL,
	"description" text,
	"type" text NOT NULL,
	"starts_at" timestamp(3) with time zone NOT NULL,
	"ends_at" timestamp(3) with time zone NOT NULL,
	"all_day" boolean NOT NULL,
	"time_zone" text NOT NULL,
	"location" text,
	"organizer_id" integer NOT NULL,
	"department_id" integer,
	"capacity" integer,
	"signup_until" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone,
	CONSTRAINT "events_end_after_start" CHECK ("events"."ends_at" >= "events"."starts_at")
);
--> statement-breakpoint
CREATE TABLE "national_events" (
	"national_event_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "national_events_national_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text,
	"country" text,
	"kind" text NOT NULL,
	"month" integer,
	"day" integer,
	"movable_method" text,
	"weekday" integer,
	"week" integer,
	"offset_days" integer DEFAULT 0 NOT NULL,
	"substitution" text NOT NULL,
	"is_day_off" boolean NOT NULL,
	"replaces" text,
	"valid_from" integer NOT NULL,
	"valid_to" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone,
	CONSTRAINT "national_events_years" CHECK ("national_events"."valid_to" is null or "national_events"."valid_to" >= "national_events"."valid_from")
);
--> statement-breakpoint
CREATE TABLE "repeat_changes" (
	"repeat_change_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "repeat_changes_repeat_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"repeatable_event_id" integer NOT NULL,
	"occurrence" date NOT NULL,
	"title" text,
	"start_local" text,
	"duration_min" integer,
	"location" text
);
--> statement-breakpoint
CREATE TABLE "repeatable_events" (
	"repeatable_event_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "repeatable_events_repeatable_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"title" text NOT NULL,
	"description" text,
	"type" text NOT NULL,
	"rrule" text NOT NULL,
	"start_local" text NOT NULL,
	"time_zone" text NOT NULL,
	"duration_min" integer NOT NULL,
	"all_day" boolean NOT NULL,
	"location" text,
	"department_id" integer,
	"organizer_id" integer NOT NULL,
	"ex_dates" text[] DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "workplaces" ADD CONSTRAINT "workplaces_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendances" ADD CONSTRAINT "attendances_event_id_events_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("event_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendances" ADD CONSTRAINT "attendances_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendances" ADD CONSTRAINT "attendances_noted_by_id_users_user_id_fk" FOREIGN KEY ("noted_by_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendants" ADD CONSTRAINT "attendants_event_id_events_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("event_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendants" ADD CONSTRAINT "attendants_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendants" ADD CONSTRAINT "attendants_invited_by_id_users_user_id_fk" FOREIGN KEY ("invited_by_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_organizer_id_users_user_id_fk" FOREIGN KEY ("organizer_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repeat_changes" ADD CONSTRAINT "repeat_changes_repeatable_event_id_repeatable_events_repeatable_event_id_fk" FOREIGN KEY ("repeatable_event_id") REFERENCES "public"."repeatable_events"("repeatable_event_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repeatable_events" ADD CONSTRAINT "repeatable_events_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repeatable_events" ADD CONSTRAINT "repeatable_events_organizer_id_users_user_id_fk" FOREIGN KEY ("organizer_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "attendances_unique_person" ON "attendances" USING btree ("event_id","user_id");--> statement-breakpoint
CREATE INDEX "attendances_state" ON "attendances" USING btree ("event_id","attendance","attendance_id");--> statement-breakpoint
CREATE INDEX "attendances_created" ON "attendances" USING btree ("event_id","created_at","attendance_id");--> statement-breakpoint
CREATE UNIQUE INDEX "attendants_unique_person" ON "attendants" USING btree ("event_id","user_id");--> statement-breakpoint
CREATE INDEX "attendants_person" ON "attendants" USING btree ("user_id","event_id");--> statement-breakpoint
CREATE INDEX "attendants_rsvp" ON "attendants" USING btree ("event_id","rsvp","waiting_since","attendant_id");--> statement-breakpoint
CREATE INDEX "attendants_created" ON "attendants" USING btree ("event_id","created_at","attendant_id");--> statement-breakpoint
CREATE INDEX "events_time" ON "events" USING gist (tstzrange("starts_at", "ends_at")) WHERE "events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "events_starts" ON "events" USING btree ("starts_at","event_id") WHERE "events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "events_ends" ON "events" USING btree ("ends_at","event_id") WHERE "events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "events_title" ON "events" USING btree (lower("title"),"event_id") WHERE "events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "events_created" ON "events" USING btree ("created_at","event_id") WHERE "events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "events_type" ON "events" USING btree ("type","starts_at","event_id") WHERE "events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "events_organizer" ON "events" USING btree ("organizer_id","starts_at","event_id") WHERE "events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "events_search" ON "events" USING gin (lower("title" || ' ' || coalesce("location", '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "national_events_name" ON "national_events" USING btree (lower("name"),"national_event_id") WHERE "national_events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "national_events_created" ON "national_events" USING btree ("created_at","national_event_id") WHERE "national_events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "national_events_country" ON "national_events" USING btree (coalesce("country", ''),"national_event_id") WHERE "national_events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "national_events_kind" ON "national_events" USING btree ("kind","national_event_id") WHERE "national_events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "national_events_search" ON "national_events" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "repeat_changes_unique_day" ON "repeat_changes" USING btree ("repeatable_event_id","occurrence");--> statement-breakpoint
CREATE INDEX "repeatable_events_title" ON "repeatable_events" USING btree (lower("title"),"repeatable_event_id") WHERE "repeatable_events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "repeatable_events_start" ON "repeatable_events" USING btree ("start_local","repeatable_event_id") WHERE "repeatable_events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "repeatable_events_created" ON "repeatable_events" USING btree ("created_at","repeatable_event_id") WHERE "repeatable_events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "repeatable_events_type" ON "repeatable_events" USING btree ("type","repeatable_event_id") WHERE "repeatable_events"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "repeatable_events_search" ON "repeatable_events" USING gin (lower("title") gin_trgm_ops);