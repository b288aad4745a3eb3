package rst
import ("testing";"os";"path/filepath";"io/fs";"strings")
func TestZZSniff(t *testing.T){
 root:=os.Getenv("RST_ROOT"); if root==""{t.Skip()}
 filepath.WalkDir(root,func(p string,d fs.DirEntry,err error)error{ if err!=nil||d.IsDir()||!strings.HasSuffix(p,".txt"){return nil}
 b,_:=os.ReadFile(p); if len(b)>4096{b=b[:4096]}; if Sniff(b) == (os.Getenv("RST_YES") != ""){t.Log(p)}; return nil})
}
