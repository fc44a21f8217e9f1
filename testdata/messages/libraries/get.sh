# Evaluates an expression beside the library.
cat > config/call.yml <<TEMPLATE
#@ load("@ytt:library", "library")
#@ def annotated():
#@overlay/match missing_ok=True
a: 1
#@ end
value: #@ $1
TEMPLATE
inlay -f config --file-mark main.yml:exclude=true
code=$?
rm config/call.yml
exit $code
