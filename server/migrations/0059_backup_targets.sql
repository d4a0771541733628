CREATE TABLE "backup_alerts" (
	"backup_alert_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_alerts_backup_alert_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"name" text NOT NULL,
	"since" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "backup_restores" ADD COLUMN "tables" jsonb;--> statement-breakpoint
ALTER TABLE "backup_schedules" ADD COLUMN "hours" jsonb;--> statement-breakpoint
ALTER TABLE "backup_schedules" ADD COLUMN "limit_kb" integer;--> statement-breakpoint
ALTER TABLE "backup_servers" ADD COLUMN "drill_server_id" integer;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "proof" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "backup_alerts_open" ON "backup_alerts" USING btree ("kind","about") WHERE "backup_alerts"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "backup_alerts_ended" ON "backup_alerts" USING btree ("ended_at");--> statement-breakpoint
ALTER TABLE "backup_servers" ADD CONSTRAINT "backup_servers_drill_server_id_servers_server_id_fk" FOREIGN KEY ("drill_server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;