package place

// secretDirs are folders of keys and credentials in the home directory; everything below them is secret.
var secretDirs = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store", ".config/gcloud", ".config/gh", ".config/hub",
	".config/rclone", ".config/op", ".config/1Password", ".config/Bitwarden", ".config/sops", ".config/age", ".config/github-copilot",
	".local/share/keyrings", ".local/share/kwalletd", ".gem/credentials", ".cargo/credentials", ".cargo/credentials.toml",
	".mozilla", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".thunderbird", ".claude", ".codex", ".gemini",
	".terraform.d", ".oci", ".config/doctl", ".config/heroku", ".fly", ".vault-token", ".minikube", ".electrum", ".bitcoin", ".ethereum",
	"Library/Keychains", "Library/Application Support/Google/Chrome", "Library/Application Support/Firefox", "Library/Cookies",
}

// secretNames are files that hold keys wherever they lie, as patterns over the lower-case name.
var secretNames = []string{
	".env", ".env.*", ".env-*", ".env_*", ".envrc", "*.env", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".mylogin.cnf",
	".git-credentials", ".htpasswd", ".dockercfg", ".s3cfg", ".boto", ".vault-token", ".authinfo", ".authinfo.gpg",
	"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore",
	"*.kdbx", "*.kdb", "*.ppk", "*.asc.key", "*.agekey", "*.keytab", "key3.db", "key4.db", "logins.json", "login.keychain*",
	"credentials", "credentials.json", "credentials.yaml", "credentials.yml", "credentials.toml", "credentials.xml", "credentials.db",
	"application_default_credentials.json", "service-account*.json", "service_account*.json", "client_secret*.json", "secrets.json",
	"secrets.yaml", "secrets.yml", "secrets.toml", ".secrets", "master.key", "keys.yaml", "kubeconfig", "terraform.tfstate", "*.tfvars",
	"wallet.dat", "auth.json", ".bash_history", ".zsh_history", ".python_history", ".psql_history", ".mysql_history",
}

// secretSystem are files and folders outside any home that hold keys.
var secretSystem = []string{
	"/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh", "/etc/ssl/private", "/etc/kubernetes",
	"/var/run/secrets", "/run/secrets", "/root/.ssh", "/var/lib/kubelet", "/etc/krb5.keytab", "/etc/NetworkManager/system-connections",
	"/Library/Keychains",
}

// shielded are names of folders and files inside a workspace whose change would run code later or weaken a protection:
// edit mode still asks for them (RULINGS 8).
var shieldedDirs = []string{".git", ".talaria"}

// startFiles are read by a shell when it starts, or by a program that then runs what they say.
var startFiles = []string{
	".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
	".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".inputrc", "config.fish", ".xinitrc", ".xprofile", ".xsession",
	".gitconfig", ".gitmodules", ".vimrc", ".exrc", ".nvimrc", ".emacs", ".envrc", ".direnvrc", ".pam_environment",
}
