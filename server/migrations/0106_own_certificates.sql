CREATE TABLE "own_certificates" (
	"name" text PRIMARY KEY NOT NULL,
	"not_after" timestamp(3) with time zone,
	"claimed_until" timestamp(3) with time zone,
	"failure" text
);
