CREATE TABLE "latest_actions" (
	"resource_type" text NOT NULL,
	"resource_id" integer NOT NULL,
	"action_id" bigint NOT NULL,
	"workflow_id" integer NOT NULL,
	"website_id" integer,
	"server_id" integer,
	CONSTRAINT "latest_actions_resource_type_resource_id_pk" PRIMARY KEY("resource_type","resource_id")
);
--> statement-breakpoint
INSERT INTO "latest_actions" ("resource_type", "resource_id", "action_id", "workflow_id", "website_id", "server_id")
  SELECT DISTINCT ON (a.resource_type, a.resource_id) a.resource_type, a.resource_id, a.action_id, a.workflow_id,
    CASE WHEN w.subject_type = 'website' THEN w.subject_id END, a.server_id
  FROM "actions" a JOIN "workflows" w ON w.workflow_id = a.workflow_id WHERE a.lane <> 'read'
  ORDER BY a.resource_type, a.resource_id, a.action_id DESC;--> statement-breakpoint
ALTER TABLE "latest_actions" ADD CONSTRAINT "latest_actions_action_id_actions_action_id_fk" FOREIGN KEY ("action_id") REFERENCES "public"."actions"("action_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "latest_actions" ADD CONSTRAINT "latest_actions_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "latest_actions_action" ON "latest_actions" USING btree ("action_id");--> statement-breakpoint
CREATE INDEX "latest_actions_workflow" ON "latest_actions" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "latest_actions_type" ON "latest_actions" USING btree ("resource_type","action_id");--> statement-breakpoint
CREATE INDEX "latest_actions_server" ON "latest_actions" USING btree ("server_id","action_id");--> statement-breakpoint
CREATE INDEX "workflows_search" ON "workflows" USING gin ("subject_name" gin_trgm_ops) WHERE "workflows"."subject_type" = 'website';