CREATE TABLE "held_rights" (
	"held_right_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "held_rights_held_right_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"is_admin" boolean NOT NULL,
	"scopes" text[] NOT NULL,
	"until" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD COLUMN "by_id" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "let_in_by_id" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "let_in_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "held_rights" ADD CONSTRAINT "held_rights_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "held_rights_user" ON "held_rights" USING btree ("user_id","until");--> statement-breakpoint
CREATE INDEX "held_rights_until" ON "held_rights" USING btree ("until");--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_by_id_users_user_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE FUNCTION keep_rights_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO held_rights (user_id, is_admin, scopes)
    SELECT lost.* FROM (SELECT OLD.user_id, OLD.is_admin AND NOT NEW.is_admin AS is_admin,
      ARRAY(SELECT unnest(r.scopes) FROM roles r WHERE r.role_id = OLD.role_id AND r.deleted_at IS NULL
        EXCEPT SELECT unnest(r.scopes) FROM roles r WHERE r.role_id = NEW.role_id AND r.deleted_at IS NULL) AS scopes) lost
    WHERE lost.is_admin OR cardinality(lost.scopes) > 0;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER keep_rights_of_user AFTER UPDATE OF role_id, is_admin ON users FOR EACH ROW
  WHEN (OLD.role_id IS DISTINCT FROM NEW.role_id OR OLD.is_admin <> NEW.is_admin) EXECUTE FUNCTION keep_rights_of_user();--> statement-breakpoint
CREATE FUNCTION keep_rights_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE lost text[] := ARRAY(SELECT unnest(OLD.scopes) EXCEPT SELECT unnest(NEW.scopes));
BEGIN
  IF cardinality(lost) > 0 THEN
    INSERT INTO held_rights (user_id, is_admin, scopes)
      SELECT user_id, false, lost FROM users WHERE role_id = OLD.role_id AND deleted_at IS NULL;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER keep_rights_of_role AFTER UPDATE OF scopes ON roles FOR EACH ROW
  WHEN (OLD.scopes IS DISTINCT FROM NEW.scopes) EXECUTE FUNCTION keep_rights_of_role();
