DROP INDEX "tracker_items_priority_status";--> statement-breakpoint
DROP INDEX "tracker_items_component_status";--> statement-breakpoint
DROP INDEX "tracker_items_assignee_status";--> statement-breakpoint
DROP INDEX "tracker_items_folder_status";--> statement-breakpoint
DROP INDEX "tracker_items_department_status";--> statement-breakpoint
ALTER TABLE "qc_conversations" ADD COLUMN "merged_into" text;--> statement-breakpoint
CREATE INDEX "qc_conversations_merges" ON "qc_conversations" USING btree ("source_id","kind","merged_into") WHERE "qc_conversations"."merged_into" is not null and "qc_conversations"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_overdue" ON "tracker_items" USING btree ("face","due_on","status_id","updated_at","tracker_item_id","deleted_at","urgency") WHERE "tracker_items"."archived_at" is null and "tracker_items"."due_on" is not null and "tracker_items"."status_group" not in ('completed', 'cancelled');--> statement-breakpoint
CREATE INDEX "tracker_items_priority_status" ON "tracker_items" USING btree ("priority_id","status_id","updated_at","tracker_item_id","deleted_at","urgency","component_id","folder_id","department_id","assignee_id") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_component_status" ON "tracker_items" USING btree ("component_id","status_id","updated_at","tracker_item_id","deleted_at","urgency","priority_id","folder_id","department_id","assignee_id") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_assignee_status" ON "tracker_items" USING btree ("assignee_id","status_id","updated_at","tracker_item_id","deleted_at","urgency","priority_id","component_id","folder_id","department_id") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_folder_status" ON "tracker_items" USING btree ("folder_id","status_id","updated_at","tracker_item_id","deleted_at","urgency","priority_id","component_id","department_id","assignee_id") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_department_status" ON "tracker_items" USING btree ("department_id","status_id","updated_at","tracker_item_id","deleted_at","urgency","priority_id","component_id","folder_id","assignee_id") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
UPDATE "qc_conversations" c SET "merged_into" = s."external_id" FROM "qc_conversations" s WHERE s."qc_conversation_id" = c."merged_into_id";
