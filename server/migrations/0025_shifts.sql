CREATE TABLE "shift_automations" (
	"shift_automation_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shift_automations_shift_automation_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"user_id" integer,
	"team_id" integer,
	"department_id" integer,
	"pattern" integer[] NOT NULL,
	"start_date" date NOT NULL,
	"end_date" date,
	"stagger" integer DEFAULT 0 NOT NULL,
	"on_holiday" text DEFAULT 'work' NOT NULL,
	"on_leave" text DEFAULT 'skip' NOT NULL,
	"status" text DEFAULT 'published' NOT NULL,
	"weeks_ahead" integer DEFAULT 8 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"planned_to" date,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone,
	CONSTRAINT "shift_automations_who" CHECK (num_nonnulls("shift_automations"."user_id", "shift_automations"."team_id", "shift_automations"."department_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "shift_batches" (
	"shift_batch_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shift_batches_shift_batch_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"text" text NOT NULL,
	"by" text NOT NULL,
	"made" integer NOT NULL,
	"removed" integer NOT NULL,
	"undone_at" timestamp(3) with time zone,
	"undone_by" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shift_minimums" (
	"department_id" integer NOT NULL,
	"minimum" integer[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shift_minimums_department_id_pk" PRIMARY KEY("department_id"),
	CONSTRAINT "shift_minimums_week" CHECK (cardinality("shift_minimums"."minimum") = 168)
);
--> statement-breakpoint
CREATE TABLE "shift_months" (
	"month" date PRIMARY KEY NOT NULL,
	"closed_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"closed_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shift_notes" (
	"shift_note_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shift_notes_shift_note_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"date" date NOT NULL,
	"content" text NOT NULL,
	"by" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "shift_settings" (
	"only" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"night_from" integer NOT NULL,
	"night_to" integer NOT NULL,
	"night_numerator" integer NOT NULL,
	"night_denominator" integer NOT NULL,
	"day_norm_minutes" integer NOT NULL,
	"rest_minutes" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shift_settings_one" CHECK ("shift_settings"."only" = 1)
);
--> statement-breakpoint
CREATE TABLE "shift_teams" (
	"shift_team_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shift_teams_shift_team_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"department_id" integer NOT NULL,
	"date" date NOT NULL,
	"member_ids" integer[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "shift_types" (
	"shift_type_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shift_types_shift_type_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"code" text NOT NULL,
	"start_time" text NOT NULL,
	"end_time" text NOT NULL,
	"break_minutes" integer DEFAULT 0 NOT NULL,
	"colour" text DEFAULT 'info' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "shifts" (
	"shift_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shifts_shift_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer,
	"department_id" integer,
	"date" date NOT NULL,
	"shift_type_id" integer NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"colour" text NOT NULL,
	"start_minute" integer NOT NULL,
	"end_minute" integer NOT NULL,
	"break_minutes" integer NOT NULL,
	"starts_at" timestamp(3) with time zone NOT NULL,
	"ends_at" timestamp(3) with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"night_steps" integer NOT NULL,
	"weighted420" integer NOT NULL,
	"status" text NOT NULL,
	"source" text DEFAULT 'manual' NOT NULL,
	"automation_id" integer,
	"edited" boolean DEFAULT false NOT NULL,
	"own_times" boolean DEFAULT false NOT NULL,
	"batch_id" integer,
	"removed_batch_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone,
	CONSTRAINT "shifts_automation" UNIQUE("automation_id","user_id","date"),
	CONSTRAINT "shifts_times" CHECK ("shifts"."start_minute" between 0 and 1439 and "shifts"."end_minute" > "shifts"."start_minute" and "shifts"."end_minute" <= "shifts"."start_minute" + 1440),
	CONSTRAINT "shifts_break" CHECK ("shifts"."break_minutes" >= 0 and "shifts"."break_minutes" < "shifts"."end_minute" - "shifts"."start_minute"),
	CONSTRAINT "shifts_open" CHECK (("shifts"."user_id" is null) = ("shifts"."status" = 'open') or "shifts"."deleted_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "shift_automations" ADD CONSTRAINT "shift_automations_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shift_automations" ADD CONSTRAINT "shift_automations_team_id_shift_teams_shift_team_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."shift_teams"("shift_team_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shift_automations" ADD CONSTRAINT "shift_automations_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shift_notes" ADD CONSTRAINT "shift_notes_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shift_teams" ADD CONSTRAINT "shift_teams_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shifts" ADD CONSTRAINT "shifts_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shifts" ADD CONSTRAINT "shifts_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shifts" ADD CONSTRAINT "shifts_shift_type_id_shift_types_shift_type_id_fk" FOREIGN KEY ("shift_type_id") REFERENCES "public"."shift_types"("shift_type_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shifts" ADD CONSTRAINT "shifts_automation_id_shift_automations_shift_automation_id_fk" FOREIGN KEY ("automation_id") REFERENCES "public"."shift_automations"("shift_automation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shifts" ADD CONSTRAINT "shifts_batch_id_shift_batches_shift_batch_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."shift_batches"("shift_batch_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shifts" ADD CONSTRAINT "shifts_removed_batch_id_shift_batches_shift_batch_id_fk" FOREIGN KEY ("removed_batch_id") REFERENCES "public"."shift_batches"("shift_batch_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shift_automations_user" ON "shift_automations" USING btree ("user_id") WHERE "shift_automations"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "shift_batches_newest" ON "shift_batches" USING btree ("created_at","shift_batch_id");--> statement-breakpoint
CREATE INDEX "shift_notes_date" ON "shift_notes" USING btree ("date","user_id","shift_note_id") WHERE "shift_notes"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "shift_teams_unique" ON "shift_teams" USING btree ("department_id",lower("name"),"date") WHERE "shift_teams"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "shift_types_unique_name" ON "shift_types" USING btree (lower("name")) WHERE "shift_types"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "shift_types_start" ON "shift_types" USING btree ("start_time","shift_type_id") WHERE "shift_types"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "shift_types_created" ON "shift_types" USING btree ("created_at","shift_type_id") WHERE "shift_types"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "shift_types_search" ON "shift_types" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "shifts_date" ON "shifts" USING btree ("date","shift_id") WHERE "shifts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "shifts_user" ON "shifts" USING btree ("user_id","date") WHERE "shifts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "shifts_department" ON "shifts" USING btree ("department_id","date") WHERE "shifts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "shifts_type" ON "shifts" USING btree ("shift_type_id","date") WHERE "shifts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "shifts_created" ON "shifts" USING btree ("created_at","shift_id") WHERE "shifts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "shifts_starts" ON "shifts" USING btree ("starts_at") WHERE "shifts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "shifts_batch" ON "shifts" USING btree ("batch_id") WHERE "shifts"."batch_id" is not null;--> statement-breakpoint
CREATE INDEX "shifts_removed_batch" ON "shifts" USING btree ("removed_batch_id") WHERE "shifts"."removed_batch_id" is not null;--> statement-breakpoint
-- Trusted since PostgreSQL 13, as pg_trgm is.
CREATE EXTENSION IF NOT EXISTS btree_gist;--> statement-breakpoint
-- Two shifts of one person never overlap, whoever plans them and over whatever midnight.
ALTER TABLE "shifts" ADD CONSTRAINT "shifts_apart" EXCLUDE USING gist ("user_id" WITH =, tstzrange("starts_at", "ends_at") WITH &&) WHERE ("deleted_at" IS NULL AND "user_id" IS NOT NULL);--> statement-breakpoint
-- Nothing in a closed month changes, whoever writes.
CREATE FUNCTION keep_closed_months() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND EXISTS (SELECT FROM shift_months WHERE month = date_trunc('month', OLD.date)::date)
    OR TG_OP <> 'DELETE' AND EXISTS (SELECT FROM shift_months WHERE month = date_trunc('month', NEW.date)::date) THEN
    RAISE EXCEPTION 'the month is closed' USING ERRCODE = 'P0C01';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;--> statement-breakpoint
CREATE TRIGGER keep_closed_months BEFORE INSERT OR UPDATE OR DELETE ON "shifts" FOR EACH ROW EXECUTE FUNCTION keep_closed_months();
