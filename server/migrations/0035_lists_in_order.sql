CREATE INDEX "dns_templates_by_name" ON "dns_templates" USING btree ("name","dns_template_id") WHERE "dns_templates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dns_templates_search" ON "dns_templates" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "files_folder_size" ON "files" USING btree (coalesce("folder_id", 0),"size","file_id");--> statement-breakpoint
CREATE INDEX "files_folder_created" ON "files" USING btree (coalesce("folder_id", 0),"created_at","file_id");