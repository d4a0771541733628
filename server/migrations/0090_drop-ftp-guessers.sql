-- Failed sign-ins of FTP continue in the common table.
INSERT INTO "guessers" ("service", "server_id", "address", "tries", "first_at", "last_at")
	SELECT 'ftp', "server_id", "address", "tries", "last_at", "last_at" FROM "ftp_guessers" WHERE "last_at" > now() - interval '1 day';--> statement-breakpoint
DROP TABLE "ftp_guessers" CASCADE;