import picomatch from "picomatch";

/** Files that tools run by themselves one day: what changes in them is shown first. */
const RUN_LATER = [
  ".github/**",
  ".gitlab-ci.yml",
  ".husky/**",
  ".githooks/**",
  ".vscode/**",
  ".idea/**",
  ".devcontainer/**",
  ".claude/**",
  ".codex/**",
  ".cursor/**",
  ".gemini/**",
  ".pre-commit-config.yaml",
  "**/package.json",
  "**/{Makefile,makefile,GNUmakefile,justfile,Justfile,Rakefile,Dockerfile,Jenkinsfile,Vagrantfile,conftest.py,setup.py}",
  "**/*.{sh,bash,zsh,fish,ps1,bat,cmd}",
  "**/.{bashrc,zshrc,profile,envrc,npmrc}",
];

export const runsLater: (path: string) => boolean = picomatch(RUN_LATER, { dot: true });
