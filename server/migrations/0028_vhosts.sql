CREATE TABLE "origin_vhosts" (
	"website_id" integer PRIMARY KEY NOT NULL,
	"php_parameters" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"pending" jsonb,
	"workflow_id" integer,
	"problem" text,
	"seen" text,
	"seen_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "php_modules" (
	"php_version" text PRIMARY KEY NOT NULL,
	"created_by" integer,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vhost_edges" (
	"vhost_id" integer NOT NULL,
	"network" text NOT NULL,
	"server_id" integer NOT NULL,
	"state" text NOT NULL,
	"seen" text,
	"seen_at" timestamp(3) with time zone,
	CONSTRAINT "vhost_edges_vhost_id_network_pk" PRIMARY KEY("vhost_id","network")
);
--> statement-breakpoint
CREATE TABLE "vhost_traffic" (
	"vhost_id" integer NOT NULL,
	"network" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"hits" integer NOT NULL,
	"misses" integer NOT NULL,
	"passed" integer NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "vhost_traffic_vhost_id_at_network_pk" PRIMARY KEY("vhost_id","at","network")
);
--> statement-breakpoint
CREATE TABLE "vhosts" (
	"vhost_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "vhosts_vhost_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"website_id" integer NOT NULL,
	"status" text NOT NULL,
	"cdn" boolean DEFAULT true NOT NULL,
	"minutes" integer DEFAULT 10 NOT NULL,
	"stale" boolean DEFAULT true NOT NULL,
	"pending" jsonb,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "origin_vhosts" ADD CONSTRAINT "origin_vhosts_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vhost_edges" ADD CONSTRAINT "vhost_edges_vhost_id_vhosts_vhost_id_fk" FOREIGN KEY ("vhost_id") REFERENCES "public"."vhosts"("vhost_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vhost_edges" ADD CONSTRAINT "vhost_edges_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vhost_traffic" ADD CONSTRAINT "vhost_traffic_vhost_id_vhosts_vhost_id_fk" FOREIGN KEY ("vhost_id") REFERENCES "public"."vhosts"("vhost_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vhosts" ADD CONSTRAINT "vhosts_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "origin_vhosts_own" ON "origin_vhosts" USING btree ("website_id") WHERE "origin_vhosts"."php_parameters" <> '{}';--> statement-breakpoint
CREATE INDEX "origin_vhosts_seen" ON "origin_vhosts" USING btree ("seen","website_id") WHERE "origin_vhosts"."seen" is not null;--> statement-breakpoint
CREATE INDEX "origin_vhosts_workflow" ON "origin_vhosts" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "vhost_edges_server" ON "vhost_edges" USING btree ("server_id","vhost_id");--> statement-breakpoint
CREATE INDEX "vhost_traffic_at" ON "vhost_traffic" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "vhosts_website" ON "vhosts" USING btree ("website_id") WHERE "vhosts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "vhosts_created" ON "vhosts" USING btree ("created_at","vhost_id") WHERE "vhosts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "vhosts_updated" ON "vhosts" USING btree ("updated_at","vhost_id") WHERE "vhosts"."deleted_at" is null;