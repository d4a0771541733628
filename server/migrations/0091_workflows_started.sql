DROP INDEX "workflows_started";--> statement-breakpoint
CREATE INDEX "workflows_started" ON "workflows" USING btree ("started_at","workflow_id","subject_type");--> statement-breakpoint
ALTER TABLE "workflows" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02);
