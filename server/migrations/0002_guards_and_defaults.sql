-- The action log only grows. With an own role for DATABASE_URL the grants say the same; embedded, this is all there is.
CREATE FUNCTION action_logs_only_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the action log is never changed' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER action_logs_only_grow BEFORE UPDATE OR DELETE ON action_logs
  FOR EACH ROW EXECUTE FUNCTION action_logs_only_grow();
--> statement-breakpoint
CREATE TRIGGER action_log_seals_only_grow BEFORE UPDATE OR DELETE ON action_log_seals
  FOR EACH ROW EXECUTE FUNCTION action_logs_only_grow();
--> statement-breakpoint
CREATE TRIGGER action_logs_not_emptied BEFORE TRUNCATE ON action_logs
  FOR EACH STATEMENT EXECUTE FUNCTION action_logs_only_grow();
--> statement-breakpoint
CREATE TRIGGER action_log_seals_not_emptied BEFORE TRUNCATE ON action_log_seals
  FOR EACH STATEMENT EXECUTE FUNCTION action_logs_only_grow();
--> statement-breakpoint
INSERT INTO server_types (name, services) VALUES
  ('web', '{nginx,php-fpm}'),
  ('dns', '{powerdns}'),
  ('database', '{mariadb}'),
  ('mail', '{postfix,dovecot}'),
  ('cdn', '{nginx}'),
  ('xdn', '{nginx}'),
  ('backup', '{restic}'),
  ('all-in-one', '{nginx,php-fpm,powerdns,mariadb}');
--> statement-breakpoint
INSERT INTO plans (name, disk_mb, memory_mb, cpu_percent, tasks, websites, databases, mailboxes, ftp_users, php_versions) VALUES
  ('Start', 2048, 256, 50, 64, 1, 1, 5, 1, '{8.2}'),
  ('Business', 10240, 512, 100, 128, 5, 5, 25, 5, '{8.2}'),
  ('Business Plus', 25600, 1024, 200, 256, 15, 15, 50, 15, '{8.2}'),
  ('Shop', 51200, 2048, 300, 384, 25, 25, 50, 25, '{8.2}'),
  ('Agency', 102400, 4096, 400, 512, 100, 100, 250, 100, '{8.2}');
