CREATE TABLE "elevation_rules" (
	"elevation_rule_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "elevation_rules_elevation_rule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"way" text NOT NULL,
	"role_id" integer,
	"scopes" text[] NOT NULL,
	"for_role_id" integer,
	"max_minutes" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "elevations" (
	"elevation_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "elevations_elevation_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"role_id" integer,
	"scopes" text[] NOT NULL,
	"minutes" integer NOT NULL,
	"reason" text NOT NULL,
	"at_once" boolean DEFAULT false NOT NULL,
	"decided_by_id" integer,
	"note" text,
	"starts_at" timestamp(3) with time zone,
	"ends_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"ended_by_id" integer,
	"ending" text,
	"told_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "elevation_rules" ADD CONSTRAINT "elevation_rules_role_id_roles_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("role_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevation_rules" ADD CONSTRAINT "elevation_rules_for_role_id_roles_role_id_fk" FOREIGN KEY ("for_role_id") REFERENCES "public"."roles"("role_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevations" ADD CONSTRAINT "elevations_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevations" ADD CONSTRAINT "elevations_role_id_roles_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("role_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevations" ADD CONSTRAINT "elevations_decided_by_id_users_user_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevations" ADD CONSTRAINT "elevations_ended_by_id_users_user_id_fk" FOREIGN KEY ("ended_by_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "elevations_held" ON "elevations" USING btree ("user_id") WHERE "elevations"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "elevations_untold" ON "elevations" USING btree ("elevation_id") WHERE "elevations"."told_at" is null;--> statement-breakpoint
CREATE INDEX "elevations_user" ON "elevations" USING btree ("user_id","created_at","elevation_id");--> statement-breakpoint
CREATE INDEX "elevations_created" ON "elevations" USING btree ("created_at","elevation_id");--> statement-breakpoint
CREATE INDEX "elevations_ends" ON "elevations" USING btree (coalesce("ends_at", 'infinity'),"elevation_id");--> statement-breakpoint
CREATE FUNCTION end_elevations_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE elevations SET ended_at = now(), ending = 'rights' WHERE user_id = NEW.user_id AND ended_at IS NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER end_elevations_of_user AFTER UPDATE OF role_id, department_id, suspended_at, deleted_at ON users FOR EACH ROW
  WHEN (OLD.role_id IS DISTINCT FROM NEW.role_id OR OLD.department_id IS DISTINCT FROM NEW.department_id
    OR OLD.suspended_at IS NULL AND NEW.suspended_at IS NOT NULL OR OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION end_elevations_of_user();--> statement-breakpoint
CREATE FUNCTION end_elevations_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE elevations SET ended_at = now(), ending = 'rights' WHERE role_id = NEW.role_id AND ended_at IS NULL;
  DELETE FROM elevation_rules WHERE role_id = NEW.role_id OR for_role_id = NEW.role_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER end_elevations_of_role AFTER UPDATE OF deleted_at ON roles FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION end_elevations_of_role();
