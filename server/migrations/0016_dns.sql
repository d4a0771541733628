CREATE TABLE "dns_departments" (
	"department_id" integer PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dns_settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"primary_server_id" integer,
	"name_servers" text[] NOT NULL,
	"hostmaster" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dns_templates" (
	"dns_template_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dns_templates_dns_template_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"records" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "records" (
	"record_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "records_record_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"zone_id" integer NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"ttl" integer NOT NULL,
	"priority" integer,
	"content" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "zone_change_lines" (
	"zone_change_line_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "zone_change_lines_zone_change_line_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"change_id" integer NOT NULL,
	"zone_id" integer NOT NULL,
	"sign" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"ttl" integer NOT NULL,
	"priority" integer,
	"content" text NOT NULL,
	"until" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "zone_changes" (
	"zone_change_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "zone_changes_zone_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"zone_id" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"by" text NOT NULL,
	"kind" text NOT NULL,
	"serial" bigint NOT NULL,
	"reverted_by" text
);
--> statement-breakpoint
CREATE TABLE "zone_states" (
	"zone_id" integer NOT NULL,
	"server_id" integer NOT NULL,
	"seen" text NOT NULL,
	"serial" bigint,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "zone_states_zone_id_server_id_pk" PRIMARY KEY("zone_id","server_id")
);
--> statement-breakpoint
CREATE TABLE "zones" (
	"zone_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "zones_zone_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"domain" text NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"admin_only" boolean DEFAULT false NOT NULL,
	"department_ids" integer[] DEFAULT '{}' NOT NULL,
	"serial" bigint NOT NULL,
	"dnssec" boolean DEFAULT false NOT NULL,
	"ds" text[] DEFAULT '{}' NOT NULL,
	"digest" text NOT NULL,
	"records" integer DEFAULT 0 NOT NULL,
	"changed_by" text,
	"live_serial" bigint,
	"live_change" integer,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "dns_departments" ADD CONSTRAINT "dns_departments_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dns_settings" ADD CONSTRAINT "dns_settings_primary_server_id_servers_server_id_fk" FOREIGN KEY ("primary_server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "records" ADD CONSTRAINT "records_zone_id_zones_zone_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("zone_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_change_lines" ADD CONSTRAINT "zone_change_lines_change_id_zone_changes_zone_change_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."zone_changes"("zone_change_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_change_lines" ADD CONSTRAINT "zone_change_lines_zone_id_zones_zone_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("zone_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_changes" ADD CONSTRAINT "zone_changes_zone_id_zones_zone_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("zone_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_states" ADD CONSTRAINT "zone_states_zone_id_zones_zone_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("zone_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_states" ADD CONSTRAINT "zone_states_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dns_templates_name" ON "dns_templates" USING btree (lower("name")) WHERE "dns_templates"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "records_unique" ON "records" USING btree ("zone_id","name","type",coalesce("priority", -1),md5("content"));--> statement-breakpoint
CREATE INDEX "records_name" ON "records" USING btree ("zone_id","name","record_id");--> statement-breakpoint
CREATE INDEX "records_type" ON "records" USING btree ("zone_id","type","record_id");--> statement-breakpoint
CREATE INDEX "records_ttl" ON "records" USING btree ("zone_id","ttl","record_id");--> statement-breakpoint
CREATE INDEX "records_search" ON "records" USING gin ("zone_id",("name" || ' ' || lower("content")) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "zone_change_lines_change" ON "zone_change_lines" USING btree ("change_id","zone_change_line_id");--> statement-breakpoint
CREATE INDEX "zone_change_lines_set" ON "zone_change_lines" USING btree ("zone_id","name","type","change_id");--> statement-breakpoint
CREATE INDEX "zone_change_lines_until" ON "zone_change_lines" USING btree ("zone_id","until") WHERE "zone_change_lines"."until" is not null;--> statement-breakpoint
CREATE INDEX "zone_changes_at" ON "zone_changes" USING btree ("zone_id","at","zone_change_id");--> statement-breakpoint
CREATE INDEX "zone_states_server" ON "zone_states" USING btree ("server_id");--> statement-breakpoint
CREATE UNIQUE INDEX "zones_unique" ON "zones" USING btree ("domain") WHERE "zones"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "zones_domain" ON "zones" USING btree ("domain","zone_id") WHERE "zones"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "zones_updated" ON "zones" USING btree ("updated_at","zone_id") WHERE "zones"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "zones_created" ON "zones" USING btree ("created_at","zone_id") WHERE "zones"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "zones_inactive" ON "zones" USING btree ("domain","zone_id") WHERE "zones"."deleted_at" is null and not "zones"."active";--> statement-breakpoint
CREATE INDEX "zones_admin" ON "zones" USING btree ("domain","zone_id") WHERE "zones"."deleted_at" is null and "zones"."admin_only";--> statement-breakpoint
CREATE INDEX "zones_departments" ON "zones" USING gin ("department_ids");--> statement-breakpoint
CREATE INDEX "zones_search" ON "zones" USING gin ("domain" gin_trgm_ops);