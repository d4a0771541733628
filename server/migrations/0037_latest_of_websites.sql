UPDATE "latest_actions" l SET "action_id" = b."action_id", "workflow_id" = b."workflow_id", "website_id" = b."subject_id", "server_id" = b."server_id"
  FROM (SELECT DISTINCT ON (a."resource_type", a."resource_id") a."resource_type", a."resource_id", a."action_id", w."workflow_id", w."subject_id", a."server_id"
    FROM "latest_actions" n JOIN "actions" a ON a."resource_type" = n."resource_type" AND a."resource_id" = n."resource_id"
    JOIN "workflows" w ON w."workflow_id" = a."workflow_id" AND w."subject_type" = 'website'
    WHERE n."website_id" IS NULL ORDER BY a."resource_type", a."resource_id", a."action_id" DESC) b
  WHERE l."resource_type" = b."resource_type" AND l."resource_id" = b."resource_id";--> statement-breakpoint
DELETE FROM "latest_actions" WHERE "website_id" IS NULL;--> statement-breakpoint
ALTER TABLE "latest_actions" ALTER COLUMN "website_id" SET NOT NULL;
