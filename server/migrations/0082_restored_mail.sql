ALTER TABLE "backup_restores" ADD COLUMN "mail" jsonb;--> statement-breakpoint
-- Tasks of backups that earlier versions called done, though they kept less than was asked for.
UPDATE "backup_tasks" t SET "status" = 'failed', "message" = b."error"
FROM "backups" b WHERE b."backup_id" = t."backup_id" AND t."type" = 'backup' AND t."status" = 'done' AND b."status" IN (3, 4);
