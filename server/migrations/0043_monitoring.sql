CREATE TABLE "monitor_changes" (
	"monitor_change_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "monitor_changes_monitor_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"website_id" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"state" text NOT NULL,
	"status" integer,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "monitor_days" (
	"website_id" integer NOT NULL,
	"day" date NOT NULL,
	"checks" integer NOT NULL,
	"failures" integer NOT NULL,
	"ms" bigint NOT NULL,
	CONSTRAINT "monitor_days_website_id_day_pk" PRIMARY KEY("website_id","day")
);
--> statement-breakpoint
CREATE TABLE "monitor_outages" (
	"server_id" integer PRIMARY KEY NOT NULL,
	"since" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "monitors" (
	"website_id" integer PRIMARY KEY NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"path" text DEFAULT '/' NOT NULL,
	"word" text,
	"state" text DEFAULT 'unknown' NOT NULL,
	"since" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"next_at" timestamp(3) with time zone,
	"checked_at" timestamp(3) with time zone,
	"status" integer,
	"ms" integer,
	"reason" text,
	"certificate_until" timestamp(3) with time zone,
	"asked_by" integer,
	"failures" integer DEFAULT 0 NOT NULL,
	"told" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "monitor_changes" ADD CONSTRAINT "monitor_changes_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "monitor_days" ADD CONSTRAINT "monitor_days_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "monitor_outages" ADD CONSTRAINT "monitor_outages_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "monitors" ADD CONSTRAINT "monitors_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "monitor_changes_website" ON "monitor_changes" USING btree ("website_id","at");--> statement-breakpoint
CREATE INDEX "monitor_changes_at" ON "monitor_changes" USING btree ("at");--> statement-breakpoint
CREATE INDEX "monitor_days_day" ON "monitor_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "monitors_due" ON "monitors" USING btree ("next_at") WHERE "monitors"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "monitors_down" ON "monitors" USING btree ("website_id") WHERE "monitors"."state" = 'down';--> statement-breakpoint
CREATE INDEX "monitors_told" ON "monitors" USING btree ("website_id") WHERE "monitors"."told" is not null;