CREATE TABLE "bans" (
	"ban_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bans_ban_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"set_id" integer NOT NULL,
	"ip" text NOT NULL,
	"first" text NOT NULL,
	"reason" text,
	"origin" text NOT NULL,
	"banned_by" text NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp(3) with time zone,
	"change" integer NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"ended_by" text,
	"ended_change" integer,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ip_set_servers" (
	"set_id" integer NOT NULL,
	"server_id" integer NOT NULL,
	"told" boolean DEFAULT false NOT NULL,
	"applied" integer,
	"workflow_id" integer,
	"seen" text,
	"elements" integer,
	"packets" bigint,
	"at" timestamp(3) with time zone,
	CONSTRAINT "ip_set_servers_set_id_server_id_pk" PRIMARY KEY("set_id","server_id")
);
--> statement-breakpoint
CREATE TABLE "ip_sets" (
	"ip_set_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ip_sets_ip_set_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text,
	"everywhere" boolean NOT NULL,
	"server_ids" integer[] DEFAULT '{}' NOT NULL,
	"max_elements" integer DEFAULT 100000 NOT NULL,
	"change" integer DEFAULT 0 NOT NULL,
	"bans" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "bans" ADD CONSTRAINT "bans_set_id_ip_sets_ip_set_id_fk" FOREIGN KEY ("set_id") REFERENCES "public"."ip_sets"("ip_set_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ip_set_servers" ADD CONSTRAINT "ip_set_servers_set_id_ip_sets_ip_set_id_fk" FOREIGN KEY ("set_id") REFERENCES "public"."ip_sets"("ip_set_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ip_set_servers" ADD CONSTRAINT "ip_set_servers_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bans_unique" ON "bans" USING btree ("set_id","ip") WHERE "bans"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "bans_at" ON "bans" USING btree ("set_id","at","ban_id") WHERE "bans"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "bans_first" ON "bans" USING btree ("set_id","first","ban_id") WHERE "bans"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "bans_expires" ON "bans" USING btree ("set_id",coalesce("expires_at", 'infinity'),"ban_id") WHERE "bans"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "bans_due" ON "bans" USING btree ("expires_at") WHERE "bans"."ended_at" is null and "bans"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "bans_ended" ON "bans" USING btree ("set_id","at","ban_id") WHERE "bans"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "bans_ended_first" ON "bans" USING btree ("set_id","first","ban_id") WHERE "bans"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "bans_ended_expires" ON "bans" USING btree ("set_id",coalesce("expires_at", 'infinity'),"ban_id") WHERE "bans"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "bans_kept" ON "bans" USING btree ("ended_at") WHERE "bans"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "bans_change" ON "bans" USING btree ("set_id","change");--> statement-breakpoint
CREATE INDEX "bans_lifted" ON "bans" USING btree ("set_id","ended_change") WHERE "bans"."ended_change" is not null;--> statement-breakpoint
CREATE INDEX "bans_search" ON "bans" USING gin ("set_id",("ip" || ' ' || lower(coalesce("reason", ''))) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "ip_set_servers_server" ON "ip_set_servers" USING btree ("server_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ip_sets_unique" ON "ip_sets" USING btree ("name") WHERE "ip_sets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "ip_sets_name" ON "ip_sets" USING btree ("name","ip_set_id") WHERE "ip_sets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "ip_sets_bans" ON "ip_sets" USING btree ("bans","ip_set_id") WHERE "ip_sets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "ip_sets_created" ON "ip_sets" USING btree ("created_at","ip_set_id") WHERE "ip_sets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "ip_sets_servers" ON "ip_sets" USING gin ("server_ids");--> statement-breakpoint
CREATE INDEX "ip_sets_search" ON "ip_sets" USING gin (("name" || ' ' || lower(coalesce("description", ''))) gin_trgm_ops);