CREATE TABLE "mail_moves" (
	"mail_move_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_moves_mail_move_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"mailbox_id" integer NOT NULL,
	"source_id" integer NOT NULL,
	"target_id" integer NOT NULL,
	"state" text NOT NULL,
	"moved_at" timestamp(3) with time zone,
	"waits_for" text,
	"clear_at" timestamp(3) with time zone,
	"look_at" timestamp(3) with time zone,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mail_moves" ADD CONSTRAINT "mail_moves_mailbox_id_mailboxes_mailbox_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailboxes"("mailbox_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_moves" ADD CONSTRAINT "mail_moves_source_id_servers_server_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_moves" ADD CONSTRAINT "mail_moves_target_id_servers_server_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_moves" ADD CONSTRAINT "mail_moves_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "mail_moves_open" ON "mail_moves" USING btree ("mailbox_id") WHERE "mail_moves"."state" not in ('done', 'rolled-back');--> statement-breakpoint
CREATE INDEX "mail_moves_look" ON "mail_moves" USING btree ("look_at") WHERE "mail_moves"."state" = 'passing';